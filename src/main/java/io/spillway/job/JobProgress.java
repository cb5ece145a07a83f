package io.spillway.job;

import io.spillway.scan.Pruned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job is doing, and what is known of its rows. Figures of work are those of this process,
 * since the job was first used here.
 *
 * @param state the job's state
 * @param failure what failed, if something that holds for the job did
 * @param partitions partitions that a full stream reads
 * @param partitionsCounted how many of them, from the first on, have all their rows counted
 * @param rowsCounted rows, from the first on, whose places are known
 * @param counting whether a count is under way
 * @param activeReaders open readers, those included that wait or are parked
 * @param rowsOut rows handed out to all readers
 * @param bytesRead bytes that came from files
 * @param pruned what was left out since a filter would have dropped it: by planning, and by readers
 *     since then
 * @param memory bytes of data that are held for it now
 * @param spilled bytes that it has on disk now
 * @param rowCount total number of rows, if known
 * @param etaSeconds seconds until the count under way, or else the stream that is farthest, comes
 *     to its end, if it goes on as it has so far; null while that cannot be told
 */
public record JobProgress(
        JobState state,
        @Nullable String failure,
        int partitions,
        int partitionsCounted,
        long rowsCounted,
        boolean counting,
        int activeReaders,
        long rowsOut,
        long bytesRead,
        List<Pruned> pruned,
        long memory,
        long spilled,
        @Nullable Long rowCount,
        @Nullable Double etaSeconds) {

    public JobProgress {
        pruned = List.copyOf(pruned);
    }
}
