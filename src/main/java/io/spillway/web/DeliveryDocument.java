package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.delivery.CapturedDataset;
import io.spillway.delivery.CapturedFile;
import io.spillway.delivery.Delivery;
import io.spillway.delivery.DeliveryProgress;
import io.spillway.delivery.DeliveryReason;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.DeliveryRequest;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A delivery as clients see it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DeliveryDocument(
        String id,
        String job,
        Target target,
        Batch batch,
        String order,
        int concurrency,
        String state,
        @Nullable Map<String, Object> reason,
        Progress progress,
        @Nullable Capture capture,
        String createdAt,
        @Nullable String endedAt,
        Links links) {

    record Target(String url, String method) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Batch(long rows, @Nullable Long maxBytes, @Nullable Weight weight, boolean dropLast) {}

    /**
     * What comes of the answers.
     *
     * @param rows of the dataset; null until it is there
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Capture(String dataset, @Nullable Long rows) {

        static @Nullable Capture of(@Nullable CapturedDataset dataset) {
            if (dataset == null) {
                return null;
            }
            CapturedFile file = dataset.file();
            return new Capture(dataset.name(), file == null ? null : Long.valueOf(file.rows()));
        }
    }

    record Weight(String column, long max) {}

    /**
     * How far it is.
     *
     * @param committedRow all batches before it are settled
     * @param rows that are to be sent, if that is known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Progress(
            long committedRow,
            @Nullable Long rows,
            long deliveredRows,
            long deliveredBatches,
            long failedRows,
            long failedBatches,
            long waitingBatches,
            @Nullable String nextAttemptAt,
            long droppedRows,
            long attempts,
            long failedAttempts,
            @Nullable String failingSince,
            double rowsPerSecond,
            @Nullable Long etaSeconds) {

        static Progress of(DeliveryProgress progress, @Nullable Long rows) {
            return new Progress(
                    progress.committedRow(),
                    rows,
                    progress.deliveredRows(),
                    progress.deliveredBatches(),
                    progress.deadRows(),
                    progress.deadBatches(),
                    progress.waitingBatches(),
                    text(progress.nextAttemptAt()),
                    progress.droppedRows(),
                    progress.attempts(),
                    progress.failedAttempts(),
                    text(progress.failingSince()),
                    progress.rowsPerSecond(),
                    eta(progress, rows));
        }

        private static @Nullable Long eta(DeliveryProgress progress, @Nullable Long rows) {
            if (rows == null || progress.rowsPerSecond() <= 0) {
                return null;
            }
            long left = Math.max(0, rows - progress.settledRows());
            return (long) Math.ceil(left / progress.rowsPerSecond());
        }
    }

    record Links(String self, String job, String events, String failures, String attempts) {}

    /**
     * The document of a delivery.
     *
     * @param rows that are to be sent, if that is known
     * @param dataset of what is captured; null if nothing is
     */
    static DeliveryDocument of(
            Delivery delivery,
            DeliveryRequest request,
            @Nullable Long rows,
            @Nullable CapturedDataset dataset) {
        BatchShape batch = request.batch();
        BatchShape.Weight weight = batch.weight();
        String self = path(delivery);
        return new DeliveryDocument(
                delivery.id(),
                delivery.job(),
                new Target(request.target().url(), request.target().method().name()),
                new Batch(
                        batch.rows(),
                        batch.maxBytes(),
                        weight == null ? null : new Weight(weight.column(), weight.max()),
                        batch.dropLast()),
                request.order().name().toLowerCase(Locale.ROOT),
                request.concurrency(),
                delivery.state().name(),
                reason(delivery.reason()),
                Progress.of(delivery.progress(), rows),
                Capture.of(dataset),
                delivery.createdAt().toString(),
                text(delivery.endedAt()),
                new Links(
                        self,
                        "/v1/jobs/" + delivery.job(),
                        self + "/events",
                        self + "/failures",
                        self + "/attempts"));
    }

    /** Why a delivery does not go on, its place included. */
    static @Nullable Map<String, Object> reason(@Nullable DeliveryReason reason) {
        if (reason == null) {
            return null;
        }
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("code", reason.code());
        members.put("detail", reason.message());
        reason.context().forEach(members::putIfAbsent);
        return members;
    }

    static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    static String path(Delivery delivery) {
        return "/v1/deliveries/" + delivery.id();
    }
}
