package io.spillway.job;

import io.spillway.rows.RowSource;
import io.spillway.rows.RowSources;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Looks at a job and tells what it does. */
final class Progress {

    private Progress() {}

    /** A job that is not used here. */
    static JobProgress of(Job job, Instant now) {
        RowSource source = RowSources.of(job.plan());
        OptionalLong known = source.rowCount();
        Long rowCount = known.isPresent() ? Long.valueOf(known.getAsLong()) : job.rowCount();
        boolean counted = rowCount != null;
        return new JobProgress(
                JobState.of(job, now, false),
                job.failure(),
                source.partitions(),
                counted ? source.partitions() : source.partitionsCounted(),
                rowCount == null ? source.rowsPlaced() : rowCount,
                false,
                0,
                0,
                0,
                job.plan().pruned(),
                0,
                0,
                rowCount,
                null);
    }

    /** A job that is used here. */
    static JobProgress of(Job job, RunningJob running, Instant now) {
        RowSource source = running.source();
        Long rowCount = running.rowCount();
        return new JobProgress(
                JobState.of(job, now, running.isActive()),
                job.failure(),
                source.partitions(),
                source.partitionsCounted(),
                source.rowsPlaced(),
                running.count().isRunning(),
                running.readers().size(),
                running.rowsOut(),
                running.metrics().bytesRead(),
                running.metrics().pruned(),
                running.pool().held(),
                running.spill().bytes(),
                rowCount == null ? job.rowCount() : rowCount,
                eta(running, rowCount));
    }

    private static @Nullable Double eta(RunningJob running, @Nullable Long rowCount) {
        long now = System.nanoTime();
        if (running.count().isRunning()) {
            return running.count().secondsLeft(now);
        }
        JobReader farthest = null;
        for (JobReader reader : running.readers()) {
            if (reader.rows() == running.rows(null)
                    && !reader.reading().page()
                    && (farthest == null || reader.position() > farthest.position())) {
                farthest = reader;
            }
        }
        return farthest == null || rowCount == null ? null : farthest.secondsLeft(rowCount, now);
    }
}
