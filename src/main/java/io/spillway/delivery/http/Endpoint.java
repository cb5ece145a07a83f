package io.spillway.delivery.http;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Where and how batches are sent.
 *
 * @param uri characters beyond ASCII are percent-encoded
 * @param method POST, PUT or PATCH
 * @param headers beside those that Spillway sets ({@link RequestHeaders#reserved}); in order. A
 *     content type among them stands in place of the body's own
 * @param gzip whether bodies are sent compressed
 * @param timeout for one exchange as a whole: credentials, name, connection, request and answer
 */
public record Endpoint(
        URI uri,
        String method,
        Map<String, SecretText> headers,
        Authentication authentication,
        boolean gzip,
        Duration timeout) {

    public Endpoint {
        uri = URI.create(uri.toASCIIString());
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /**
     * Checks before the first attempt what can be known by then: that requests may go there, that
     * secrets exist, and that their values can stand where they are to stand.
     *
     * @throws SpillwayException TARGET_NOT_ALLOWED, UNKNOWN_SECRET or INVALID_PLAN
     */
    public void check(TargetRules rules, Secrets secrets) {
        rules.check(uri);
        if (authentication instanceof Authentication.OAuth2 oauth2) {
            rules.check(oauth2.tokenUrl());
        }
        headers.forEach((name, value) -> requireHeaderText(name, value.reveal(secrets)));
        switch (authentication) {
            case Authentication.Bearer(var token) ->
                    requireHeaderText("authorization", token.reveal(secrets));
            case Authentication.Webhook(var secret) -> WebhookSignature.key(secret.reveal(secrets));
            case Authentication.AwsSigV4 _, Authentication.Basic _, Authentication.OAuth2 _ ->
                    authentication.texts().forEach(text -> text.reveal(secrets));
            case Authentication.None _ -> {}
        }
    }

    /** Header values as servers take them everywhere: visible characters, spaces and tabs. */
    private static void requireHeaderText(String header, String value) {
        boolean fine = value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'));
        if (!fine) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "The header '" + header + "' must be printable ASCII")
                    .with("header", header);
        }
    }

    /** Scheme, host and port: what connections and circuit breakers are kept by. */
    public String origin() {
        return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
    }
}
