package io.spillway.web.security;

import io.spillway.cursor.TicketToken;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Checks credentials: API keys against their hashes, JWTs by a decoder, tickets by their signature.
 * The result's name is the owner. What is wrong with a credential is not told: a caller with a good
 * one does not need it.
 */
public final class CallerAuthentication implements ReactiveAuthenticationManager {

    private final List<ApiKey> apiKeys;
    private final @Nullable ReactiveJwtDecoder jwts;
    private final String ownerClaim;
    private final TicketToken tickets;
    private final Scheduler waiting;

    /**
     * @param apiKeys the keys that are known
     * @param jwts checks signature and claims of JWTs, or null if none are taken
     * @param ownerClaim the claim of a JWT that names the owner
     * @param tickets checks tickets
     * @param waiting runs what may wait for the keys of tickets
     */
    public CallerAuthentication(
            List<ApiKey> apiKeys,
            @Nullable ReactiveJwtDecoder jwts,
            String ownerClaim,
            TicketToken tickets,
            Executor waiting) {
        this.apiKeys = List.copyOf(apiKeys);
        this.jwts = jwts;
        this.ownerClaim = ownerClaim;
        this.tickets = tickets;
        // As a bare Executor: Reactor interrupts what runs on an ExecutorService when it is
        // cancelled, which would close the job store's file under everybody.
        this.waiting = Schedulers.fromExecutor(work -> waiting.execute(work));
    }

    @Override
    public Mono<Authentication> authenticate(Authentication credential) {
        return switch (credential) {
            case ApiKeyCredential key -> Mono.fromCallable(() -> caller(key.getCredentials()));
            case BearerTokenAuthenticationToken token when jwts != null ->
                    jwts.decode(token.getToken())
                            .onErrorMap(CallerAuthentication::rejected)
                            .map(this::caller);
            case TicketCredential ticket ->
                    Mono.fromCallable(() -> caller(ticket)).subscribeOn(waiting);
            default -> Mono.error(new BadCredentialsException("No such credential is taken"));
        };
    }

    /** Compares with every key, so that the time taken tells nothing. */
    private Authentication caller(String key) {
        byte[] hash = ApiKey.hash(key);
        ApiKey match = null;
        for (ApiKey known : apiKeys) {
            if (known.matches(hash)) {
                match = known;
            }
        }
        if (match == null) {
            throw new BadCredentialsException("The API key is not known");
        }
        return new CallerToken(match.owner());
    }

    private Authentication caller(TicketCredential credential) {
        return tickets.verify(credential.getCredentials(), credential.jobId())
                .map(ticket -> new CallerToken(ticket.owner()))
                .orElseThrow(() -> new BadCredentialsException("The ticket is not valid"));
    }

    private Authentication caller(Jwt jwt) {
        if (jwt.getClaim(ownerClaim) instanceof String owner && Owners.isValid(owner)) {
            return new CallerToken(owner);
        }
        throw new BadCredentialsException("The token's claim '" + ownerClaim + "' names no owner");
    }

    /** A bad token is the caller's fault, keys that cannot be fetched are not. */
    private static RuntimeException rejected(Throwable e) {
        return e instanceof BadJwtException
                ? new BadCredentialsException("The token is not valid", e)
                : new AuthenticationServiceException("Tokens cannot be checked", e);
    }
}
