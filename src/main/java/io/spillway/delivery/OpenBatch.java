package io.spillway.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A batch that is not settled. Belongs to one thread. */
final class OpenBatch {

    private final long firstRow;
    private final long rows;
    private int failures;
    private int throttled;
    private boolean stored;
    private @Nullable Instant dueAt;

    /**
     * One that was never sent.
     *
     * @param rows how many it has
     */
    OpenBatch(long firstRow, long rows) {
        this.firstRow = firstRow;
        this.rows = rows;
    }

    /** One that waits. */
    static OpenBatch of(StoredBatch stored) {
        OpenBatch batch = new OpenBatch(stored.firstRow(), stored.rows());
        batch.failures = stored.failures();
        batch.throttled = stored.throttled();
        batch.dueAt = stored.nextAttemptAt();
        batch.stored = true;
        return batch;
    }

    long firstRow() {
        return firstRow;
    }

    long rows() {
        return rows;
    }

    long end() {
        return firstRow + rows;
    }

    /** Whether something is kept of it. */
    boolean isStored() {
        return stored;
    }

    /** When it may be sent, if it waits. */
    Instant dueAt() {
        return dueAt == null ? Instant.EPOCH : dueAt;
    }

    /** Counts the attempt that comes next, from 1 on. */
    int attempt() {
        return failures + throttled + 1;
    }

    int failures() {
        return failures;
    }

    int throttled() {
        return throttled;
    }

    void failed() {
        failures++;
    }

    void wasThrottled() {
        throttled++;
    }

    /** Waits, without anything being kept of that. */
    void waitUntil(Instant due) {
        dueAt = due;
    }

    /** As it is to be kept from now on. */
    StoredBatch stored(
            StoredBatch.State state,
            @Nullable Instant due,
            @Nullable BatchFailure failure,
            Instant now) {
        stored = true;
        dueAt = due;
        return new StoredBatch(firstRow, rows, state, failures, throttled, due, failure, now);
    }
}
