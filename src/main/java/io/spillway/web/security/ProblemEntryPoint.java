package io.spillway.web.security;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.web.Problems;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.WebFilterExchange;
import org.springframework.security.web.server.authentication.ServerAuthenticationFailureHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Answers those who are not let in: 401 with a challenge (RFC 9110, RFC 6750), the same for a
 * missing and a wrong credential but for the challenge's {@code error}; 503 if credentials cannot
 * be checked now.
 */
public final class ProblemEntryPoint
        implements ServerAuthenticationEntryPoint, ServerAuthenticationFailureHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemEntryPoint.class);
    private static final String CHALLENGE = "Bearer realm=\"spillway\"";

    /** Nobody has presented a credential. */
    @Override
    public Mono<Void> commence(ServerWebExchange exchange, AuthenticationException cause) {
        return unauthenticated(exchange, CHALLENGE, "This call needs an API key or a token");
    }

    /** A credential was presented and is not good. */
    @Override
    public Mono<Void> onAuthenticationFailure(
            WebFilterExchange filter, AuthenticationException cause) {
        ServerWebExchange exchange = filter.getExchange();
        if (cause instanceof AuthenticationServiceException) {
            LOG.warn("Credentials cannot be checked: {}", reason(cause));
            return Problems.write(
                    exchange,
                    new SpillwayException(
                            ErrorCode.AUTHENTICATION_UNAVAILABLE,
                            "The service that vouches for tokens does not answer"));
        }
        return unauthenticated(
                exchange,
                CHALLENGE + ", error=\"invalid_token\"",
                "The API key or token is not valid");
    }

    /** The innermost message; a stack trace a request would bury the log. */
    private static String reason(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner.toString();
    }

    private static Mono<Void> unauthenticated(
            ServerWebExchange exchange, String challenge, String detail) {
        exchange.getResponse().getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, challenge);
        return Problems.write(exchange, new SpillwayException(ErrorCode.UNAUTHENTICATED, detail));
    }
}
