package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Errors as clients see them: problem details (RFC 9457). {@code type} is {@code /problems/} and
 * the code's slug, a relative reference that stays the same on every host; {@code code} is the slug
 * alone; {@code title} belongs to the code, {@code detail} to the occurrence; the place (pointer,
 * file, column, …) follows as members of their own.
 */
public final class Problems {

    /** What every problem's {@code type} starts with. */
    public static final String TYPE_PREFIX = "/problems/";

    private static final JsonMapper JSON = JsonMapper.shared();

    private Problems() {}

    /** The HTTP status for a kind of error. */
    public static HttpStatus status(ErrorCode.Kind kind) {
        return switch (kind) {
            case INVALID -> HttpStatus.BAD_REQUEST;
            case UNAUTHENTICATED -> HttpStatus.UNAUTHORIZED;
            case FORBIDDEN -> HttpStatus.FORBIDDEN;
            case NOT_FOUND -> HttpStatus.NOT_FOUND;
            case METHOD_NOT_ALLOWED -> HttpStatus.METHOD_NOT_ALLOWED;
            case NOT_ACCEPTABLE -> HttpStatus.NOT_ACCEPTABLE;
            case UNSUPPORTED_MEDIA_TYPE -> HttpStatus.UNSUPPORTED_MEDIA_TYPE;
            case CONFLICT -> HttpStatus.CONFLICT;
            case GONE -> HttpStatus.GONE;
            case TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
            case UNPROCESSABLE -> HttpStatus.UNPROCESSABLE_CONTENT;
            case BUSY -> HttpStatus.TOO_MANY_REQUESTS;
            case STORAGE -> HttpStatus.INSUFFICIENT_STORAGE;
            case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
            case INTERNAL -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    }

    /**
     * The members of a problem, in the order in which they are written.
     *
     * @param instance what the problem happened to, as a URI reference; left out if null
     */
    public static Map<String, Object> members(SpillwayException error, @Nullable String instance) {
        ErrorCode code = error.code();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", TYPE_PREFIX + code.slug());
        members.put("title", code.title());
        members.put("status", status(code.kind()).value());
        members.put("detail", detail(error));
        if (instance != null) {
            members.put("instance", instance);
        }
        members.put("code", code.slug());
        error.context().forEach(members::putIfAbsent);
        return members;
    }

    /** A problem as JSON, in UTF-8. */
    public static byte[] json(SpillwayException error, @Nullable String instance) {
        return JSON.writeValueAsBytes(members(error, instance));
    }

    /**
     * Answers a request with a problem: status, {@code application/problem+json}, body. The
     * response must not be committed yet; headers that are set already stay.
     */
    public static Mono<Void> write(ServerWebExchange exchange, SpillwayException error) {
        byte[] body = json(error, exchange.getRequest().getPath().value());
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(status(error.code().kind()));
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        headers.setContentLength(body.length);
        DataBuffer buffer = response.bufferFactory().wrap(body);
        return response.writeWith(Mono.just(buffer));
    }

    private static String detail(SpillwayException error) {
        String message = error.getMessage();
        return message == null ? error.code().title() : message;
    }
}
