package io.spillway.web;

import io.spillway.delivery.Delivery;
import io.spillway.delivery.DeliveryService;
import io.spillway.plan.document.DeliveryRequest;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Deliveries as resources: begin, look at, have rest, go on, end, send dead letters again. */
@RestController
@RequestMapping("/v1/deliveries")
class DeliveriesController {

    private final DeliveryService deliveries;
    private final RequestBodies bodies;
    private final Blocking blocking;

    DeliveriesController(DeliveryService deliveries, RequestBodies bodies, Blocking blocking) {
        this.deliveries = deliveries;
        this.bodies = bodies;
        this.blocking = blocking;
    }

    /** A page of the caller's deliveries; {@code next} is where the following page starts. */
    record DeliveryList(List<DeliveryDocument> deliveries, @Nullable String next) {}

    /** A page of dead letters; {@code next} is what {@code after} is for the following page. */
    record FailureList(List<FailureDocument> failures, @Nullable Long next) {}

    /** A page of attempts; {@code next} is what {@code before} is for the following page. */
    record AttemptList(List<AttemptDocument> attempts, @Nullable Long next) {}

    /** Who cannot take the answer has made no delivery. */
    @PostMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<ResponseEntity<DeliveryDocument>> submit(
            ServerWebExchange exchange,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key) {
        String checkedKey = Parameters.idempotencyKey(key);
        return withBody(
                exchange, (owner, body) -> created(deliveries.submit(owner, body, checkedKey)));
    }

    private ResponseEntity<DeliveryDocument> created(DeliveryService.Submission submission) {
        Delivery delivery = submission.delivery();
        return ResponseEntity.status(submission.created() ? HttpStatus.CREATED : HttpStatus.OK)
                .location(URI.create(DeliveryDocument.path(delivery)))
                .body(document(delivery));
    }

    private DeliveryDocument document(Delivery delivery) {
        DeliveryRequest request = deliveries.request(delivery);
        return DeliveryDocument.of(
                delivery,
                request,
                deliveries.rows(delivery),
                deliveries.dataset(delivery, request));
    }

    @GetMapping
    Mono<DeliveryList> list(ServerWebExchange exchange) {
        Parameters parameters =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("limit", "before"));
        int limit = parameters.listLimit("deliveries");
        return call(exchange, owner -> page(owner, parameters.text("before"), limit));
    }

    private DeliveryList page(String owner, @Nullable String before, int limit) {
        List<Delivery> page = deliveries.list(owner, before, limit);
        return new DeliveryList(
                page.stream().map(this::document).toList(),
                page.size() < limit ? null : page.getLast().id());
    }

    @GetMapping("/{delivery}")
    Mono<DeliveryDocument> get(ServerWebExchange exchange, @PathVariable String delivery) {
        return call(exchange, owner -> document(deliveries.get(owner, delivery)));
    }

    @PostMapping("/{delivery}:pause")
    Mono<DeliveryDocument> pause(ServerWebExchange exchange, @PathVariable String delivery) {
        return call(exchange, owner -> document(deliveries.pause(owner, delivery)));
    }

    @PostMapping("/{delivery}:resume")
    Mono<DeliveryDocument> resume(ServerWebExchange exchange, @PathVariable String delivery) {
        return call(exchange, owner -> document(deliveries.resume(owner, delivery)));
    }

    @PostMapping("/{delivery}:cancel")
    Mono<DeliveryDocument> cancel(ServerWebExchange exchange, @PathVariable String delivery) {
        return call(exchange, owner -> document(deliveries.cancel(owner, delivery)));
    }

    @PostMapping("/{delivery}:replay")
    Mono<DeliveryDocument> replay(ServerWebExchange exchange, @PathVariable String delivery) {
        return withBody(
                exchange, (owner, body) -> document(deliveries.replay(owner, delivery, body)));
    }

    @GetMapping("/{delivery}/failures")
    Mono<FailureList> failures(ServerWebExchange exchange, @PathVariable String delivery) {
        Parameters parameters =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("limit", "after"));
        int limit = parameters.listLimit("dead letters");
        Long after = parameters.count("after");
        return call(
                exchange,
                owner -> {
                    List<FailureDocument> page =
                            deliveries
                                    .failures(owner, delivery, after == null ? -1 : after, limit)
                                    .stream()
                                    .map(batch -> FailureDocument.of(delivery, batch))
                                    .toList();
                    return new FailureList(
                            page, page.size() < limit ? null : page.getLast().firstRow());
                });
    }

    @GetMapping("/{delivery}/attempts")
    Mono<AttemptList> attempts(ServerWebExchange exchange, @PathVariable String delivery) {
        Parameters parameters =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("limit", "before"));
        int limit = parameters.listLimit("attempts");
        Long before = parameters.count("before");
        return call(
                exchange,
                owner -> {
                    List<AttemptDocument> page =
                            deliveries
                                    .attempts(
                                            owner,
                                            delivery,
                                            before == null ? Long.MAX_VALUE : before,
                                            limit)
                                    .stream()
                                    .map(attempt -> AttemptDocument.of(delivery, attempt))
                                    .toList();
                    return new AttemptList(
                            page, page.size() < limit ? null : page.getLast().number());
                });
    }

    private <T> Mono<T> call(ServerWebExchange exchange, Function<String, T> work) {
        return Callers.owner(exchange).flatMap(owner -> blocking.call(() -> work.apply(owner)));
    }

    private <T> Mono<T> withBody(ServerWebExchange exchange, BiFunction<String, byte[], T> work) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                bodies.read(exchange.getRequest())
                                        .flatMap(
                                                body ->
                                                        blocking.call(
                                                                () -> work.apply(owner, body))));
    }
}
