package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.delivery.BatchIds;
import io.spillway.delivery.DeliveryAttempt;
import org.jspecify.annotations.Nullable;

/**
 * A request of a delivery as clients see it.
 *
 * @param number counts the requests of the delivery
 * @param batch id of the batch, as the request carried it
 * @param attempt counts the requests of the batch
 * @param outcome {@code delivered}, or why it was not
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AttemptDocument(
        long number,
        String batch,
        long firstRow,
        long rowCount,
        int attempt,
        String startedAt,
        double latencyMillis,
        String outcome,
        @Nullable Integer status,
        @Nullable String detail,
        @Nullable String nextAttemptAt) {

    private static final double NANOS_A_MILLI = 1e6;

    static AttemptDocument of(String delivery, DeliveryAttempt attempt) {
        return new AttemptDocument(
                attempt.number(),
                BatchIds.of(delivery, attempt.firstRow(), attempt.rows()),
                attempt.firstRow(),
                attempt.rows(),
                attempt.attempt(),
                attempt.startedAt().toString(),
                attempt.latency().toNanos() / NANOS_A_MILLI,
                attempt.outcome(),
                attempt.status(),
                attempt.message(),
                DeliveryDocument.text(attempt.nextAttemptAt()));
    }
}
