package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.job.JobProgress;
import io.spillway.scan.Pruned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a job does, as clients see it: in the job's document and in {@code progress} events. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ProgressDocument(
        int partitions,
        int partitionsCounted,
        long rowsCounted,
        boolean counting,
        int activeReaders,
        long rowsOut,
        long bytesRead,
        List<PrunedDocument> pruned,
        long memory,
        long spilled,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long etaSeconds) {

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

    static ProgressDocument of(JobProgress progress) {
        Double eta = progress.etaSeconds();
        return new ProgressDocument(
                progress.partitions(),
                progress.partitionsCounted(),
                progress.rowsCounted(),
                progress.counting(),
                progress.activeReaders(),
                progress.rowsOut(),
                progress.bytesRead(),
                progress.pruned().stream().map(PrunedDocument::of).toList(),
                progress.memory(),
                progress.spilled(),
                eta == null ? null : (long) Math.ceil(eta));
    }
}
