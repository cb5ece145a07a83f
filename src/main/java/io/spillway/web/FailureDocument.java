package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.delivery.BatchFailure;
import io.spillway.delivery.BatchIds;
import io.spillway.delivery.StoredBatch;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as clients see it.
 *
 * @param id of the batch, as its requests carried it
 * @param responseHead the first characters of the last answer
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FailureDocument(
        String id,
        long firstRow,
        long rowCount,
        int attempts,
        @Nullable String reason,
        @Nullable String detail,
        @Nullable Integer status,
        @Nullable String responseHead,
        String failedAt) {

    static FailureDocument of(String delivery, StoredBatch batch) {
        BatchFailure failure = batch.lastFailure();
        return new FailureDocument(
                BatchIds.of(delivery, batch.firstRow(), batch.rows()),
                batch.firstRow(),
                batch.rows(),
                batch.attempts(),
                failure == null ? null : failure.reason(),
                failure == null ? null : failure.message(),
                failure == null ? null : failure.status(),
                failure == null ? null : failure.responseHead(),
                batch.changedAt().toString());
    }
}
