package io.spillway.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many deliveries there may be, and how they are sent.
 *
 * @param running deliveries that this process sends at once
 * @param maxOpen deliveries that have not come to their end, of all replicas together
 * @param lease how long a process that has died holds up the deliveries that it sent
 * @param maxConcurrency requests of a delivery that may be under way at once
 * @param maxBatchRows rows of a batch
 * @param maxWaiting batches of a delivery in any order that may wait for their next attempt
 * @param captureResponse bytes of an answer that columns are taken out of
 * @param attemptsKept attempts of a delivery that are kept, beside those of dead letters
 * @param linkGrace how long a link works once its batch is settled
 * @param publicUrl what links begin with; null if bodies may have none
 */
public record DeliverySettings(
        int running,
        int maxOpen,
        Duration lease,
        int maxConcurrency,
        long maxBatchRows,
        int maxWaiting,
        int captureResponse,
        int attemptsKept,
        Duration linkGrace,
        @Nullable String publicUrl) {}
