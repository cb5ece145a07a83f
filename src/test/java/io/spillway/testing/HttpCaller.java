package io.spillway.testing;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/**
 * Plain HTTP calls that give whole answers, trailers included, which the JDK's client does not
 * show. A connection that breaks before the end of the body, and a body that is not UTF-8, are
 * failures. Thread-safe.
 */
public final class HttpCaller {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client;

    /**
     * @param base scheme, host and port that paths are appended to
     */
    public HttpCaller(String base) {
        client = HttpClient.newConnection().baseUrl(base);
    }

    /** A GET that accepts a media type. */
    public HttpAnswer get(String path, String accept) {
        return call("GET", path, Map.of("Accept", accept), null);
    }

    /** A POST of a JSON text that accepts a media type. */
    public HttpAnswer post(String path, String accept, String json) {
        return call(
                "POST", path, Map.of("Accept", accept, "Content-Type", "application/json"), json);
    }

    /**
     * Any call.
     *
     * @param path path and query, encoded
     * @param body the body's text, or null for a call without
     */
    public HttpAnswer call(
            String method, String path, Map<String, String> headers, @Nullable String body) {
        byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        HttpAnswer answer =
                client.headers(h -> headers.forEach(h::set))
                        .headers(h -> setLength(h, body, bytes))
                        .request(HttpMethod.valueOf(method))
                        .uri(path)
                        .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(bytes)))
                        .responseConnection(
                                (response, connection) ->
                                        connection
                                                .inbound()
                                                .receive()
                                                .aggregate()
                                                .asByteArray()
                                                .defaultIfEmpty(new byte[0])
                                                .zipWith(
                                                        response.trailerHeaders()
                                                                .defaultIfEmpty(
                                                                        new DefaultHttpHeaders()))
                                                .map(
                                                        both ->
                                                                new HttpAnswer(
                                                                        response.status().code(),
                                                                        fields(
                                                                                response
                                                                                        .responseHeaders()),
                                                                        utf8(both.getT1()),
                                                                        fields(both.getT2()))))
                        .single()
                        .block(PATIENCE);
        if (answer == null) {
            throw new AssertionError("no answer to " + method + " " + path);
        }
        return answer;
    }

    private static void setLength(HttpHeaders headers, @Nullable String body, byte[] bytes) {
        if (body != null) {
            headers.setInt("Content-Length", bytes.length);
        }
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new AssertionError("the body is not UTF-8", e);
        }
    }

    private static Map<String, List<String>> fields(HttpHeaders headers) {
        Map<String, List<String>> fields = new TreeMap<>();
        headers.forEach(
                e ->
                        fields.computeIfAbsent(
                                        e.getKey().toLowerCase(Locale.ROOT), k -> new ArrayList<>())
                                .add(e.getValue()));
        return fields;
    }
}
