package io.spillway.delivery;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that has ended.
 *
 * @param number counts the attempts of the delivery, from 1 on
 * @param firstRow number of the batch's first row
 * @param rows how many the batch has
 * @param attempt counts the attempts of the batch, from 1 on
 * @param startedAt when it began
 * @param latency how long it took
 * @param outcome {@code delivered}, or the reason why it did not deliver
 * @param status of the answer, if there was one
 * @param message a sentence, if it did not deliver
 * @param nextAttemptAt when the batch is due again, if it is
 */
public record DeliveryAttempt(
        long number,
        long firstRow,
        long rows,
        int attempt,
        Instant startedAt,
        Duration latency,
        String outcome,
        @Nullable Integer status,
        @Nullable String message,
        @Nullable Instant nextAttemptAt) {}
