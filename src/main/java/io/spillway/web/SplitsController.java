package io.spillway.web;

import io.spillway.split.SplitService;
import io.spillway.web.SplitsDocument.DividedDocument;
import io.spillway.web.SplitsDocument.SplitDocument;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Splits of jobs: made, read, divided. */
@RestController
class SplitsController {

    private final SplitService splits;
    private final RowsResponder responder;
    private final RequestBodies bodies;
    private final Blocking blocking;
    private final WebSettings settings;
    private final EventSettings eventSettings;

    SplitsController(
            SplitService splits,
            RowsResponder responder,
            RequestBodies bodies,
            Blocking blocking,
            WebSettings settings,
            EventSettings eventSettings) {
        this.splits = splits;
        this.responder = responder;
        this.bodies = bodies;
        this.blocking = blocking;
        this.settings = settings;
        this.eventSettings = eventSettings;
    }

    @PostMapping("/v1/jobs/{job}/splits")
    Mono<ResponseEntity<SplitsDocument>> split(
            ServerWebExchange exchange, @PathVariable String job) {
        return bodies.read(
                        exchange,
                        (owner, body) ->
                                blocking.call(
                                        () -> SplitsDocument.of(splits.split(owner, job, body))))
                .map(made -> ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(made));
    }

    @PostMapping("/v1/splits/{split}:divide")
    Mono<ResponseEntity<DividedDocument>> divide(
            ServerWebExchange exchange, @PathVariable String split) {
        return bodies.read(
                        exchange, (owner, body) -> blocking.call(() -> divided(owner, split, body)))
                .map(made -> ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(made));
    }

    private DividedDocument divided(String owner, String token, byte[] body) {
        SplitService.Divided parts = splits.divide(owner, token, body);
        return new DividedDocument(
                SplitDocument.of(parts.primary()), SplitDocument.of(parts.residual()));
    }

    @GetMapping("/v1/splits/{split}/rows")
    Mono<Void> rows(ServerWebExchange exchange, @PathVariable String split) {
        RowsRequest request = RowsRequest.of(exchange.getRequest(), settings, eventSettings);
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> splits.toRead(owner, split)))
                .flatMap(part -> responder.answer(part, request, exchange));
    }
}
