package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.batch.RowSchema;
import io.spillway.job.Job;
import io.spillway.job.JobProgress;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job as clients see it. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record JobDocument(
        String id,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String name,
        String state,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String failure,
        List<ColumnDocument> schema,
        SnapshotDocument snapshot,
        ProgressDocument progress,
        @Nullable Long rowCount,
        boolean rowCountKnown,
        String createdAt,
        String expiresAt,
        String ttl,
        Links links) {

    record SnapshotDocument(String digest, int files, long bytes, SkippedDocument skipped) {}

    record Links(String self, String rows, String plan, String events) {}

    static JobDocument of(Job job, JobProgress progress) {
        String self = path(job);
        return new JobDocument(
                job.id(),
                job.name(),
                progress.state().name(),
                progress.failure(),
                ColumnDocument.of(job.plan().schema()),
                snapshot(job),
                ProgressDocument.of(progress),
                progress.rowCount(),
                progress.rowCount() != null,
                job.createdAt().toString(),
                job.expiresAt().toString(),
                job.ttl().toString(),
                new Links(self, self + "/rows", self + "/plan", self + "/events"));
    }

    static String path(Job job) {
        return "/v1/jobs/" + job.id();
    }

    private static SnapshotDocument snapshot(Job job) {
        int files = 0;
        long bytes = 0;
        for (PhysicalPlan.Scan scan : job.plan().scans()) {
            files += scan.files().size();
            bytes += scan.files().stream().mapToLong(f -> f.status().size()).sum();
        }
        return new SnapshotDocument(job.digest(), files, bytes, SkippedDocument.of(job.plan()));
    }

    /** A column of a schema. */
    record ColumnDocument(String name, String type, boolean nullable) {

        static List<ColumnDocument> of(RowSchema schema) {
            return schema.columns().stream()
                    .map(c -> new ColumnDocument(c.name(), c.type().toString(), c.nullable()))
                    .toList();
        }
    }
}
