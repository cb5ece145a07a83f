package io.spillway.web.security;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Finds the credential of a request: {@code X-API-Key: KEY} or {@code Authorization: Bearer TOKEN},
 * where the token is a JWT or an API key. Never a query parameter, since URLs end up in logs, but
 * for a ticket to the streams of a job, which is short-lived and {@linkplain TicketParameter taken
 * out} of the URL at once. More than one credential is an error, since it would be a guess who is
 * calling.
 */
public final class CredentialConverter implements ServerAuthenticationConverter {

    /** The header for API keys. */
    public static final String API_KEY_HEADER = "X-API-Key";

    private static final String BEARER = "Bearer ";

    /** Longer than any key or token in use; what is longer is not hashed or parsed. */
    private static final int MAX_LENGTH = 8 * 1024;

    /** Compact serialisation of a signed JWT (RFC 7515, section 7.1). */
    private static final Pattern JWT =
            Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    private final boolean apiKeys;
    private final boolean jwts;

    /**
     * @param apiKeys whether API keys are taken
     * @param jwts whether JWTs are taken
     */
    public CredentialConverter(boolean apiKeys, boolean jwts) {
        this.apiKeys = apiKeys;
        this.jwts = jwts;
    }

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        List<Authentication> found = new ArrayList<>();
        if (apiKeys) {
            for (String key : headers.getOrEmpty(API_KEY_HEADER)) {
                found.add(new ApiKeyCredential(checked(key)));
            }
        }
        for (String value : headers.getOrEmpty(HttpHeaders.AUTHORIZATION)) {
            // Where nobody is asked for a credential, one that comes along is not looked at.
            if ((apiKeys || jwts) && value.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
                found.add(bearer(checked(value.substring(BEARER.length()).strip())));
            }
        }
        found.addAll(tickets(exchange.getRequest()));
        if (found.size() > 1) {
            throw new BadCredentialsException("A request has one credential, not several");
        }
        return found.isEmpty() ? Mono.empty() : Mono.just(found.getFirst());
    }

    private static List<Authentication> tickets(ServerHttpRequest request) {
        String job = TicketParameter.jobOf(request);
        if (job == null) {
            return List.of();
        }
        return request.getHeaders().getOrEmpty(TicketParameter.HEADER).stream()
                .<Authentication>map(ticket -> new TicketCredential(checked(ticket), job))
                .toList();
    }

    private Authentication bearer(String token) {
        boolean jwt = jwts && (!apiKeys || JWT.matcher(token).matches());
        return jwt ? new BearerTokenAuthenticationToken(token) : new ApiKeyCredential(token);
    }

    private static String checked(String credential) {
        if (credential.isEmpty() || credential.length() > MAX_LENGTH) {
            throw new BadCredentialsException("The credential is empty or too long");
        }
        return credential;
    }
}
