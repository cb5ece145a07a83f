package io.spillway.delivery.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The headers of requests. */
public final class RequestHeaders {

    private static final Set<String> RESERVED =
            Set.of(
                    "host",
                    "content-length",
                    "content-encoding",
                    "transfer-encoding",
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "upgrade",
                    "expect",
                    "idempotency-key",
                    "traceparent",
                    "tracestate");

    private final Secrets secrets;
    private final Clock clock;
    private final AwsSignature aws;

    RequestHeaders(Secrets secrets, Clock clock) {
        this.secrets = secrets;
        this.clock = clock;
        this.aws = new AwsSignature(clock);
    }

    /**
     * Whether Spillway itself sets the header of this name, whatever its case, and nobody else may.
     */
    public static boolean reserved(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return RESERVED.contains(lower)
                || lower.startsWith("webhook-")
                || lower.startsWith("spillway-");
    }

    /**
     * All headers of an attempt, but for a token that must be fetched first. Reads the body where
     * it is signed.
     *
     * @throws io.spillway.error.SpillwayException UNKNOWN_SECRET, or INVALID_PLAN where a secret's
     *     value has become unusable
     */
    HttpHeaders of(Endpoint endpoint, Post post, RequestBody body) {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.USER_AGENT, "Spillway");
        headers.set(HttpHeaderNames.CONTENT_TYPE, post.contentType());
        endpoint.headers().forEach((name, value) -> headers.set(name, value.reveal(secrets)));
        headers.set(HttpHeaderNames.HOST, host(endpoint.uri()));
        if (body.gzip()) {
            headers.set(HttpHeaderNames.CONTENT_ENCODING, "gzip");
        } else {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, post.bytes());
        }
        authenticate(headers, endpoint, post, body);
        identify(headers, post);
        return headers;
    }

    private void authenticate(HttpHeaders headers, Endpoint endpoint, Post post, RequestBody body) {
        switch (endpoint.authentication()) {
            case Authentication.None() -> {}
            case Authentication.OAuth2 _ -> {}
            case Authentication.Bearer(var token) -> bearer(headers, token.reveal(secrets));
            case Authentication.Basic(var username, var password) ->
                    basic(headers, username.reveal(secrets), password.reveal(secrets));
            case Authentication.Webhook(var secret) ->
                    sign(headers, post, WebhookSignature.key(secret.reveal(secrets)));
            case Authentication.AwsSigV4 keys -> aws.sign(headers, endpoint, keys, secrets, body);
        }
    }

    static void bearer(HttpHeaders headers, String token) {
        headers.set(HttpHeaderNames.AUTHORIZATION, "Bearer " + token);
    }

    private static void basic(HttpHeaders headers, String username, String password) {
        byte[] pair = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        headers.set(
                HttpHeaderNames.AUTHORIZATION, "Basic " + Base64.getEncoder().encodeToString(pair));
    }

    private void sign(HttpHeaders headers, Post post, byte[] key) {
        long seconds = clock.instant().getEpochSecond();
        headers.set("webhook-id", post.id());
        headers.set("webhook-timestamp", seconds);
        headers.set(
                "webhook-signature", WebhookSignature.sign(key, post.id(), seconds, post.body()));
    }

    private static void identify(HttpHeaders headers, Post post) {
        headers.set("Idempotency-Key", post.id());
        headers.set("Spillway-Delivery", post.delivery());
        headers.set("Spillway-First-Row", post.firstRow());
        headers.set("Spillway-Row-Count", post.rowCount());
        headers.set("Spillway-Attempt", post.attempt());
        headers.set("traceparent", "00-" + post.traceId() + "-" + span() + "-01");
    }

    /** A span's number (W3C Trace Context), never zero. */
    private static String span() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong() | 1);
    }

    /** Host and port, without the port that the scheme implies. */
    private static String host(URI uri) {
        boolean implied =
                uri.getPort() < 0
                        || uri.getPort() == ("https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80);
        return implied ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }
}
