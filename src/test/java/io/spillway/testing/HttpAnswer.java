package io.spillway.testing;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A whole answer. Names of fields are lower case.
 *
 * @param status the status code
 * @param headers the header fields
 * @param text the body, which is valid UTF-8, or the caller had thrown
 * @param trailers the fields after the last chunk
 */
public record HttpAnswer(
        int status,
        Map<String, List<String>> headers,
        String text,
        Map<String, List<String>> trailers) {

    /** The first value of a header field. */
    public Optional<String> header(String name) {
        return first(headers, name);
    }

    /** The first value of a trailer field. */
    public Optional<String> trailer(String name) {
        return first(trailers, name);
    }

    /** The media type without its parameters, in lower case; empty if there is none. */
    public String mediaType() {
        String type = header("Content-Type").orElse("");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    private static Optional<String> first(Map<String, List<String>> fields, String name) {
        return fields.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
    }
}
