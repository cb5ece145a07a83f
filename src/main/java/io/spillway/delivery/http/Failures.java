package io.spillway.delivery.http;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.resolver.dns.DnsNameResolverException;
import io.spillway.delivery.http.Answer.Kind;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import reactor.netty.channel.AbortedException;

/**
 * What an exception of the network means. The messages are for the owner of the delivery: they tell
 * no address, and of an answer nothing but an error's name.
 */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int LONGEST_CHAIN = 20;
    private static final Pattern ERROR_NAME = Pattern.compile("[a-z_]{1,40}");

    private Failures() {}

    /**
     * @param latency of the attempt
     */
    static Answer.Failure of(Throwable failure, Duration latency) {
        Cause cause =
                failure instanceof Tokens.NoTokenException
                        ? noToken(cause(failure))
                        : cause(failure);
        return new Answer.Failure(cause.kind(), cause.text(), latency);
    }

    private static Cause noToken(Cause cause) {
        return cause.kind() == Kind.NOT_ALLOWED || cause.kind() == Kind.CREDENTIALS
                ? cause
                : new Cause(Kind.CREDENTIALS, "No token could be had: " + cause.text());
    }

    private static Cause cause(Throwable failure) {
        return chain(failure)
                .map(Failures::known)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> unknown(failure));
    }

    private static @Nullable Cause known(Throwable failure) {
        return switch (failure) {
            case RequestBody.OverException _ -> new Cause(Kind.ABORTED, "The attempt was given up");
            case FilteredNames.NotAllowedException _ ->
                    new Cause(Kind.NOT_ALLOWED, "Requests may not be sent to this host");
            case SpillwayException e -> refused(e);
            case OAuth2AuthorizationException e -> denied(e);
            case ConnectTimeoutException _ ->
                    new Cause(Kind.TIMEOUT, "The endpoint could not be reached in time");
            case SslHandshakeTimeoutException _ ->
                    new Cause(Kind.TIMEOUT, "The TLS handshake took too long");
            case TimeoutException _ ->
                    new Cause(Kind.TIMEOUT, "No complete answer came within the time limit");
            case UnknownHostException _ -> noName();
            case DnsNameResolverException _ -> noName();
            case ConnectException _ -> noConnection();
            case NoRouteToHostException _ -> noConnection();
            case SSLException e -> tls(e);
            case IOException _ -> ended();
            case AbortedException _ -> ended();
            case DecoderException e when e.getCause() == null -> noHttp();
            case IllegalArgumentException _ -> noHttp();
            default -> null;
        };
    }

    private static Cause refused(SpillwayException e) {
        String message = Objects.requireNonNullElse(e.getMessage(), e.code().title());
        return e.code() == ErrorCode.TARGET_NOT_ALLOWED
                ? new Cause(Kind.NOT_ALLOWED, message)
                : new Cause(Kind.CREDENTIALS, message);
    }

    private static @Nullable Cause denied(OAuth2AuthorizationException e) {
        if (e.getCause() instanceof IOException) {
            return null;
        }
        String name = e.getError().getErrorCode();
        return new Cause(
                Kind.CREDENTIALS,
                ERROR_NAME.matcher(name).matches()
                        ? "The token endpoint gave no token: " + name
                        : "The token endpoint gave no token");
    }

    private static Cause tls(SSLException failure) {
        boolean certificate = chain(failure).anyMatch(CertificateException.class::isInstance);
        if (certificate) {
            return new Cause(Kind.TLS, "The endpoint's certificate does not verify");
        }
        boolean closed = chain(failure).anyMatch(Failures::endsConnection);
        return closed ? ended() : new Cause(Kind.TLS, "No TLS connection came about");
    }

    private static boolean endsConnection(Throwable failure) {
        return failure instanceof IOException && !(failure instanceof SSLException);
    }

    private static Cause noName() {
        return new Cause(Kind.NAME, "The host's name could not be resolved");
    }

    private static Cause noConnection() {
        return new Cause(Kind.CONNECT, "The endpoint accepts no connection");
    }

    private static Cause ended() {
        return new Cause(Kind.RESET, "The connection ended before the answer did");
    }

    private static Cause noHttp() {
        return new Cause(Kind.PROTOCOL, "The answer is not valid HTTP");
    }

    private static Cause unknown(Throwable failure) {
        LOG.warn("An attempt failed in a way that is not known", failure);
        return new Cause(Kind.PROTOCOL, "The exchange failed");
    }

    private static Stream<Throwable> chain(Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(
                        failure, Objects::nonNull, e -> Objects.requireNonNull(e).getCause())
                .map(Objects::requireNonNull)
                .limit(LONGEST_CHAIN);
    }

    private record Cause(Kind kind, String text) {}
}
