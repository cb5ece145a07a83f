package io.spillway.job;

import io.spillway.scan.Pruned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job is doing in this process.
 *
 * @param partitions partitions that a full stream reads
 * @param activeReaders open readers
 * @param rowsOut rows handed out since the job was first read here
 * @param bytesRead bytes that came from files for it, since then
 * @param pruned what was left out since a filter would have dropped it: by planning, and by readers
 *     since then
 * @param memory bytes that its readers hold
 * @param rowCount total number of rows, if known
 */
public record JobActivity(
        int partitions,
        int activeReaders,
        long rowsOut,
        long bytesRead,
        List<Pruned> pruned,
        long memory,
        @Nullable Long rowCount) {

    public JobActivity {
        pruned = List.copyOf(pruned);
    }
}
