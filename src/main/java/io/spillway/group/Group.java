package io.spillway.group;

import io.spillway.plan.document.BatchShape;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Readers that share a job's batches.
 *
 * @param id which no other group has or had
 * @param job whose rows are shared
 * @param name by which the job's owner calls it
 * @param createdAt when it was made
 * @param batch how rows are cut
 * @param leaseTime how long a lease lasts unless a claim says otherwise
 * @param generation counts resets, from 1 on
 * @param nextRow where the next batch is cut
 * @param nextBatch how many batches were cut since the last reset
 * @param committedRow all rows before it are committed, or were passed over by a reset
 * @param committedBatches how many batches lie before it, of those cut since the last reset
 * @param endRow the row behind the last batch, if that is known by now
 */
public record Group(
        String id,
        String job,
        String name,
        Instant createdAt,
        BatchShape batch,
        Duration leaseTime,
        long generation,
        long nextRow,
        long nextBatch,
        long committedRow,
        long committedBatches,
        @Nullable Long endRow) {

    /** A new one, of whose rows none is cut yet. */
    static Group starting(
            String id,
            String job,
            String name,
            Instant now,
            BatchShape batch,
            Duration leaseTime) {
        return new Group(id, job, name, now, batch, leaseTime, 1, 0, 0, 0, 0, null);
    }

    /** Is everything cut? */
    boolean isCut() {
        return endRow != null && nextRow >= endRow;
    }

    /** Is everything committed? */
    public boolean isDone() {
        return endRow != null && committedRow >= endRow;
    }

    /** Was it made in the same way? */
    boolean isMadeAs(Group other) {
        return batch.equals(other.batch) && leaseTime.equals(other.leaseTime);
    }
}
