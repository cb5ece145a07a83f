package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.export.Export;
import io.spillway.export.ExportState;
import io.spillway.export.ExportedFile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An export as clients see it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ExportDocument(
        String id,
        String job,
        String path,
        boolean overwrite,
        @Nullable Long maxFileRows,
        @Nullable Long maxFileBytes,
        String state,
        @Nullable Map<String, Object> failure,
        Progress progress,
        @Nullable List<ExportedFile> files,
        String createdAt,
        @Nullable String endedAt,
        Links links) {

    record Progress(long rows, long bytes) {}

    record Links(String self, String job) {}

    static ExportDocument of(Export export) {
        Export.Failure failure = export.failure();
        return new ExportDocument(
                export.id(),
                export.request().job(),
                export.request().path(),
                export.request().overwrite(),
                export.request().maxFileRows(),
                export.request().maxFileBytes(),
                export.state().name(),
                failure == null ? null : Problems.members(failure.exception(), null),
                new Progress(export.rows(), export.bytes()),
                export.state() == ExportState.COMPLETED ? export.files() : null,
                export.createdAt().toString(),
                export.endedAt() == null ? null : export.endedAt().toString(),
                new Links(path(export), "/v1/jobs/" + export.request().job()));
    }

    static String path(Export export) {
        return "/v1/exports/" + export.id();
    }
}
