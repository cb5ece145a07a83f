package io.spillway.delivery.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.security.oauth2.client.endpoint.OAuth2ClientCredentialsGrantRequest;
import org.springframework.security.oauth2.client.endpoint.WebClientReactiveClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/**
 * Access tokens of OAuth 2.0 clients. Each is asked for once, by whoever needs it first, and kept
 * until shortly before its end or until an endpoint refuses it.
 */
final class Tokens {

    private static final int MOST_KEPT = 1_000;
    private static final int MOST_ANSWER_BYTES = 64 << 10;

    /** A token is renewed this long before its end, or at three quarters of a short life. */
    private static final Duration AHEAD = Duration.ofSeconds(60);

    private static final int LIFE_PART = 4;

    private final Secrets secrets;
    private final Clock clock;
    private final WebClientReactiveClientCredentialsTokenResponseClient endpoint =
            new WebClientReactiveClientCredentialsTokenResponseClient();
    private final Map<Authentication.OAuth2, Mono<Token>> kept =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(
                        Map.Entry<Authentication.OAuth2, Mono<Token>> eldest) {
                    return size() > MOST_KEPT;
                }
            };

    /**
     * @param client held to the target rules, as all requests are
     */
    Tokens(HttpClient client, Secrets secrets, Clock clock) {
        this.secrets = secrets;
        this.clock = clock;
        endpoint.setWebClient(
                WebClient.builder()
                        .clientConnector(new ReactorClientHttpConnector(client))
                        .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(MOST_ANSWER_BYTES))
                        .build());
    }

    /** A token that may be used now. Failures are not kept. */
    Mono<Token> token(Authentication.OAuth2 client) {
        synchronized (kept) {
            return kept.computeIfAbsent(
                    client,
                    of -> Mono.defer(() -> fetch(of)).cacheInvalidateIf(t -> !t.usable(clock)));
        }
    }

    private Mono<Token> fetch(Authentication.OAuth2 client) {
        ClientRegistration registration =
                ClientRegistration.withRegistrationId("delivery")
                        .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                        .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                        .clientId(client.clientId().reveal(secrets))
                        .clientSecret(client.clientSecret().reveal(secrets))
                        .tokenUri(client.tokenUrl().toString())
                        .scope(client.scopes())
                        .build();
        return endpoint.getTokenResponse(new OAuth2ClientCredentialsGrantRequest(registration))
                .map(response -> Token.of(response.getAccessToken(), clock.instant()))
                .onErrorMap(NoTokenException::new);
    }

    /** A token and when it is to be renewed. */
    static final class Token {

        private final String value;
        private final Instant got;
        private final Instant renewAt;
        private volatile boolean refused;

        private Token(String value, Instant got, Instant renewAt) {
            this.value = value;
            this.got = got;
            this.renewAt = renewAt;
        }

        /** A token without an end is one that is used until it is refused. */
        private static Token of(OAuth2AccessToken token, Instant now) {
            Instant end = token.getExpiresAt();
            if (end == null) {
                return new Token(token.getTokenValue(), now, Instant.MAX);
            }
            Duration ahead = Duration.between(now, end).dividedBy(LIFE_PART);
            return new Token(
                    token.getTokenValue(),
                    now,
                    end.minus(ahead.compareTo(AHEAD) < 0 ? ahead : AHEAD));
        }

        String value() {
            return value;
        }

        /** Whether it was there already at this time. */
        boolean olderThan(Instant time) {
            return got.isBefore(time);
        }

        /** An endpoint did not take it: nobody gets it any more. */
        void refuse() {
            refused = true;
        }

        boolean refused() {
            return refused;
        }

        private boolean usable(Clock clock) {
            return !refused && clock.instant().isBefore(renewAt);
        }
    }

    /** The token endpoint gave no token. */
    static final class NoTokenException extends RuntimeException {
        NoTokenException(Throwable cause) {
            super("no token", cause, false, false);
        }
    }
}
