package io.spillway.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a delivery is.
 *
 * @param committedRow all batches before this row are settled
 * @param endRow the row behind the last batch's last one; null until that is known
 * @param droppedRows rows behind it that make no batch
 * @param deliveredBatches batches that the target has
 * @param deliveredRows their rows
 * @param deadBatches dead letters that are there
 * @param deadRows their rows
 * @param waitingBatches batches that wait for their next attempt
 * @param nextAttemptAt when the first of them is due
 * @param attempts requests that have ended
 * @param failedAttempts those of them that delivered nothing
 * @param rowsPerSecond rows that were delivered, lately
 * @param failingSince since when nothing was delivered though it was tried; null if the last
 *     attempt delivered
 */
public record DeliveryProgress(
        long committedRow,
        @Nullable Long endRow,
        long droppedRows,
        long deliveredBatches,
        long deliveredRows,
        long deadBatches,
        long deadRows,
        long waitingBatches,
        @Nullable Instant nextAttemptAt,
        long attempts,
        long failedAttempts,
        double rowsPerSecond,
        @Nullable Instant failingSince) {

    static final DeliveryProgress NONE =
            new DeliveryProgress(0, null, 0, 0, 0, 0, 0, 0, null, 0, 0, 0, null);

    /** Rows that are settled. */
    public long settledRows() {
        return deliveredRows + deadRows;
    }
}
