package io.spillway.web;

import io.spillway.cursor.EventId;
import io.spillway.cursor.EventIds;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers to those who watch. */
final class EventStreams {

    static final String LAST_EVENT_ID = "Last-Event-ID";

    private EventStreams() {}

    /** Whether a client has seen the end before it connected again. */
    static boolean hasSeenEnd(EventIds ids, @Nullable String lastEventId) {
        return lastEventId != null
                && !lastEventId.isEmpty()
                && ids.parse(lastEventId, LAST_EVENT_ID) instanceof EventId.End;
    }

    /** Tells a client not to connect again. */
    static Mono<Void> nothingMore(ServerWebExchange exchange) {
        exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
        return exchange.getResponse().setComplete();
    }

    /** Sends events as they come. */
    static Mono<Void> respond(Flux<byte[]> events, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        response.getHeaders().setContentType(ServerSentEvents.TYPE);
        response.getHeaders().setCacheControl("no-store");
        response.getHeaders().set("X-Accel-Buffering", "no");
        if (Heads.only(exchange.getRequest())) {
            return response.setComplete();
        }
        DataBufferFactory buffers = response.bufferFactory();
        return response.writeAndFlushWith(events.map(bytes -> Mono.just(buffers.wrap(bytes))));
    }
}
