package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.function.BiFunction;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Request bodies, as bytes of limited number. */
final class RequestBodies {

    private static final byte[] NONE = {};

    private final int maxBytes;

    RequestBodies(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * The whole body, empty if there is none.
     *
     * @return failed with {@code UNSUPPORTED_MEDIA_TYPE} if it is said to be anything but JSON,
     *     {@code BODY_TOO_LARGE}
     */
    Mono<byte[]> read(ServerHttpRequest request) {
        if (!isJson(request)) {
            return Mono.error(
                    new SpillwayException(
                            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                            "A request body is " + MediaType.APPLICATION_JSON_VALUE));
        }
        return DataBufferUtils.join(request.getBody(), maxBytes)
                .map(RequestBodies::bytes)
                .defaultIfEmpty(NONE)
                .onErrorMap(DataBufferLimitException.class, e -> tooLarge());
    }

    /**
     * What follows from who calls and the whole body of the call.
     *
     * @param then by the owner that the call's jobs belong to, and the body
     * @return failed as {@link #read(ServerHttpRequest)} is, or as what follows
     */
    <T> Mono<T> read(ServerWebExchange exchange, BiFunction<String, byte[], Mono<T>> then) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                read(exchange.getRequest())
                                        .flatMap(body -> then.apply(owner, body)));
    }

    private static boolean isJson(ServerHttpRequest request) {
        try {
            MediaType type = request.getHeaders().getContentType();
            return type == null
                    || type.isCompatibleWith(MediaType.APPLICATION_JSON)
                    || "json".equals(type.getSubtypeSuffix());
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    private static byte[] bytes(DataBuffer buffer) {
        try {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            return bytes;
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private SpillwayException tooLarge() {
        return new SpillwayException(
                        ErrorCode.BODY_TOO_LARGE,
                        "The body is larger than %,d bytes".formatted(maxBytes))
                .with(SpillwayException.LIMIT, maxBytes);
    }
}
