package io.spillway.web;

import io.spillway.export.Export;
import io.spillway.export.ExportService;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Exports as resources: begin, look at, end. */
@RestController
@RequestMapping("/v1/exports")
class ExportsController {

    private final ExportService exports;
    private final RequestBodies bodies;
    private final Blocking blocking;

    ExportsController(ExportService exports, RequestBodies bodies, Blocking blocking) {
        this.exports = exports;
        this.bodies = bodies;
        this.blocking = blocking;
    }

    /** A page of the caller's exports; {@code next} is where the following page starts. */
    record ExportList(List<ExportDocument> exports, @Nullable String next) {}

    /** Who cannot take the answer has made no export. */
    @PostMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<ResponseEntity<ExportDocument>> submit(
            ServerWebExchange exchange,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key) {
        String checkedKey = Parameters.idempotencyKey(key);
        return bodies.read(
                exchange,
                (owner, body) ->
                        blocking.call(() -> created(exports.submit(owner, body, checkedKey))));
    }

    private ResponseEntity<ExportDocument> created(ExportService.Submission submission) {
        Export export = submission.export();
        return ResponseEntity.status(submission.created() ? HttpStatus.CREATED : HttpStatus.OK)
                .location(URI.create(ExportDocument.path(export)))
                .body(ExportDocument.of(export));
    }

    @GetMapping
    Mono<ExportList> list(ServerWebExchange exchange) {
        Parameters parameters =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("limit", "before"));
        int limit = parameters.listLimit("exports");
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(() -> page(owner, parameters.text("before"), limit)));
    }

    private ExportList page(String owner, @Nullable String before, int limit) {
        List<Export> page = exports.list(owner, before, limit);
        return new ExportList(
                page.stream().map(ExportDocument::of).toList(),
                page.size() < limit ? null : page.getLast().id());
    }

    @GetMapping("/{export}")
    Mono<ExportDocument> get(ServerWebExchange exchange, @PathVariable String export) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(() -> ExportDocument.of(exports.get(owner, export))));
    }

    @DeleteMapping("/{export}")
    Mono<ResponseEntity<Void>> cancel(ServerWebExchange exchange, @PathVariable String export) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(
                                        () -> {
                                            exports.cancel(owner, export);
                                            return ResponseEntity.noContent().build();
                                        }));
    }
}
