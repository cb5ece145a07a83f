package io.spillway.web;

import io.spillway.delivery.Delivery;
import io.spillway.delivery.DeliveryService;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** State and progress of a delivery as they change, for those who show them. */
@RestController
class DeliveryEventsController {

    private final DeliveryService deliveries;
    private final Watch<Delivery, Delivery> events;
    private final Blocking blocking;

    DeliveryEventsController(
            DeliveryService deliveries, Watch<Delivery, Delivery> events, Blocking blocking) {
        this.deliveries = deliveries;
        this.events = events;
        this.blocking = blocking;
    }

    /**
     * A client that has seen the end and connects again is told not to do so any more, unless dead
     * letters were replayed since.
     */
    @GetMapping(
            value = "/v1/deliveries/{delivery}/events",
            produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Mono<Void> events(
            ServerWebExchange exchange,
            @PathVariable String delivery,
            @RequestHeader(name = EventStreams.LAST_EVENT_ID, required = false)
                    @Nullable String lastEventId) {
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> deliveries.get(owner, delivery)))
                .flatMap(found -> blocking.defer(() -> respond(found, lastEventId, exchange)));
    }

    private Mono<Void> respond(
            Delivery delivery, @Nullable String lastEventId, ServerWebExchange exchange) {
        return EventStreams.hasSeenEnd(WatchedDeliveries.eventIds(delivery), lastEventId)
                        && delivery.state().isEnd()
                ? EventStreams.nothingMore(exchange)
                : EventStreams.respond(events.of(delivery), exchange);
    }
}
