package io.spillway.web;

import io.spillway.catalog.Catalog;
import io.spillway.catalog.Snapshot;
import io.spillway.delivery.Captures;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata.UnreadableColumn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;

/** What can be scanned. */
@RestController
@RequestMapping("/v1/datasets")
class DatasetsController {

    private final Catalog catalog;
    private final Captures captures;
    private final Blocking blocking;

    DatasetsController(Catalog catalog, Captures captures, Blocking blocking) {
        this.catalog = catalog;
        this.captures = captures;
        this.blocking = blocking;
    }

    record Links(String self) {}

    record DatasetLink(String name, Links links) {}

    record DatasetList(List<DatasetLink> datasets) {}

    record DatasetDocument(
            String name,
            String format,
            List<JobDocument.ColumnDocument> schema,
            List<UnreadableColumn> unreadable,
            int files,
            long rows,
            long bytes,
            SkippedDocument skipped) {}

    @GetMapping
    Mono<DatasetList> list(ServerWebExchange exchange) {
        return call(exchange, this::list);
    }

    private <T> Mono<T> call(ServerWebExchange exchange, Function<String, T> answer) {
        return Callers.owner(exchange).flatMap(owner -> blocking.call(() -> answer.apply(owner)));
    }

    private DatasetList list(String owner) {
        return new DatasetList(
                catalog.of(owner).datasetNames().stream()
                        .map(
                                name ->
                                        new DatasetLink(
                                                name,
                                                new Links(
                                                        "/v1/datasets/"
                                                                + UriUtils.encodePathSegment(
                                                                        name,
                                                                        StandardCharsets.UTF_8))))
                        .toList());
    }

    /** Only what the caller's deliveries have made can be removed. */
    @DeleteMapping("/{name}")
    Mono<ResponseEntity<Void>> remove(ServerWebExchange exchange, @PathVariable String name) {
        return call(
                exchange,
                owner -> {
                    captures.remove(owner, name);
                    return ResponseEntity.noContent().build();
                });
    }

    @GetMapping("/{name}")
    Mono<DatasetDocument> get(ServerWebExchange exchange, @PathVariable String name) {
        return call(
                exchange,
                owner -> {
                    Catalog datasets = catalog.of(owner);
                    if (!datasets.datasetNames().contains(name)) {
                        throw new SpillwayException(
                                ErrorCode.UNKNOWN_RESOURCE, "There is no dataset '" + name + "'");
                    }
                    Snapshot snapshot = datasets.dataset(name);
                    return new DatasetDocument(
                            name,
                            snapshot.format(),
                            JobDocument.ColumnDocument.of(snapshot.schema()),
                            snapshot.unreadable(),
                            snapshot.files().size(),
                            snapshot.rows(),
                            snapshot.bytes(),
                            SkippedDocument.of(snapshot.skipped()));
                });
    }
}
