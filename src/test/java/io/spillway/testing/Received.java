package io.spillway.testing;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as a {@link Receiver} got it, whole.
 *
 * @param number 0-based, by the time at which the body ended
 * @param connection 0-based number of the connection it came over
 * @param path with the query
 * @param headers by their names in lower case; values of one name are joined by ", "
 * @param body empty where the receiver keeps none
 * @param bytes of the body, as transferred
 * @param at when the body had ended
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Received(
        int number,
        int connection,
        String method,
        String path,
        Map<String, String> headers,
        byte[] body,
        long bytes,
        Instant at) {

    Received numbered(int place) {
        return new Received(place, connection, method, path, headers, body, bytes, at);
    }

    Received with(byte[] wholeBody, long wholeBytes) {
        return new Received(
                number, connection, method, path, headers, wholeBody, wholeBytes, Instant.now());
    }

    /** The value of a header, or null. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /** The body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
