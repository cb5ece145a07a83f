package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.batch.RowSchema;
import io.spillway.job.Job;
import io.spillway.job.JobActivity;
import io.spillway.job.JobState;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.Pruned;
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
        Progress progress,
        @Nullable Long rowCount,
        boolean rowCountKnown,
        String createdAt,
        String expiresAt,
        String ttl,
        Links links) {

    record SnapshotDocument(String digest, int files, long bytes, SkippedDocument skipped) {}

    record Progress(
            int partitions,
            int activeReaders,
            long rowsOut,
            long bytesRead,
            List<PrunedDocument> pruned,
            long memory) {}

    record PrunedDocument(String by, long partitions, long pages, long rows, long bytes) {

        static PrunedDocument of(Pruned pruned) {
            return new PrunedDocument(
                    pruned.by().label(),
                    pruned.partitions(),
                    pruned.pages(),
                    pruned.rows(),
                    pruned.bytes());
        }
    }

    record Links(String self, String rows, String plan) {}

    static JobDocument of(Job job, JobState state, JobActivity activity) {
        String self = path(job);
        return new JobDocument(
                job.id(),
                job.name(),
                state.name(),
                job.failure(),
                ColumnDocument.of(job.plan().schema()),
                snapshot(job),
                new Progress(
                        activity.partitions(),
                        activity.activeReaders(),
                        activity.rowsOut(),
                        activity.bytesRead(),
                        activity.pruned().stream().map(PrunedDocument::of).toList(),
                        activity.memory()),
                activity.rowCount(),
                activity.rowCount() != null,
                job.createdAt().toString(),
                job.expiresAt().toString(),
                job.ttl().toString(),
                new Links(self, self + "/rows", self + "/plan"));
    }

    static String path(Job job) {
        return "/v1/jobs/" + job.id();
    }

    private static SnapshotDocument snapshot(Job job) {
        int files = 0;
        long bytes = 0;
        PhysicalPlan plan = job.plan();
        while (!plan.inputs().isEmpty()) {
            plan = plan.inputs().getFirst();
        }
        if (plan instanceof PhysicalPlan.Scan scan) {
            files = scan.files().size();
            bytes = scan.files().stream().mapToLong(f -> f.status().size()).sum();
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
