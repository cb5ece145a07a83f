package io.spillway.web;

import io.spillway.catalog.Catalog;
import io.spillway.catalog.Snapshot;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata.UnreadableColumn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;

/** What can be scanned. */
@RestController
@RequestMapping("/v1/datasets")
class DatasetsController {

    private final Catalog catalog;
    private final Blocking blocking;

    DatasetsController(Catalog catalog, Blocking blocking) {
        this.catalog = catalog;
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
    DatasetList list() {
        return new DatasetList(
                catalog.datasetNames().stream()
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

    @GetMapping("/{name}")
    Mono<DatasetDocument> get(@PathVariable String name) {
        return blocking.call(
                () -> {
                    if (!catalog.datasetNames().contains(name)) {
                        throw new SpillwayException(
                                ErrorCode.UNKNOWN_RESOURCE, "There is no dataset '" + name + "'");
                    }
                    Snapshot snapshot = catalog.dataset(name);
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
