package io.spillway.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A batch, or neighbours that are delivered, of which more is to be known than that it is settled.
 *
 * @param firstRow number of its first row
 * @param rows how many it has
 * @param failures attempts that failed
 * @param throttled attempts that the target put off
 * @param nextAttemptAt when it is due, if it waits
 * @param lastFailure what came of the last attempt, if that delivered nothing
 * @param changedAt when it came to be so
 */
public record StoredBatch(
        long firstRow,
        long rows,
        State state,
        int failures,
        int throttled,
        @Nullable Instant nextAttemptAt,
        @Nullable BatchFailure lastFailure,
        Instant changedAt) {

    /** What has become of it. */
    public enum State {
        WAITING,
        DELIVERED,
        DEAD
    }

    /** Number of the row behind its last one. */
    public long end() {
        return firstRow + rows;
    }

    /** How often it was sent. */
    public int attempts() {
        return failures + throttled;
    }
}
