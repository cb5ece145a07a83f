package io.spillway.delivery;

import static io.spillway.delivery.DeliveryRows.timestamp;

import io.spillway.job.StorableText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/**
 * Records what was done for deliveries, in a transaction. A delivery's own row comes first: its
 * condition decides whether the lease counts, and it keeps others off its batches.
 */
final class JdbcChanges {

    private static final String PROGRESS =
            """
            UPDATE delivery SET committed_row = :committed, end_row = :end, dropped_rows = :dropped,
              delivered_batches = :batches, delivered_rows = :rows,
              dead_batches = dead_batches + :deadBatches, dead_rows = dead_rows + :deadRows,
              waiting_batches = :waiting, next_attempt_at = :next, attempts = :attempts,
              failed_attempts = :failed, rows_per_second = :rate, failing_since = :since
            WHERE id = :id AND epoch = :epoch
            """;

    private static final String UPDATE_BATCH =
            """
            UPDATE delivery_batch SET row_count = :rows, state = :state, failures = :failures,
              throttled = :throttled, next_attempt_at = :next, reason = :reason,
              message = :message, status = :status, response_head = :head, changed_at = :changed
            WHERE delivery_id = :id AND first_row = :row
            """;

    private static final String INSERT_BATCH =
            """
            INSERT INTO delivery_batch (delivery_id, first_row, row_count, state, failures,
              throttled, next_attempt_at, reason, message, status, response_head, changed_at)
            VALUES (:id, :row, :rows, :state, :failures, :throttled, :next, :reason, :message,
              :status, :head, :changed)
            """;

    private static final String INSERT_ATTEMPT =
            """
            INSERT INTO delivery_attempt (delivery_id, number, first_row, row_count, attempt,
              started_at, latency_micros, outcome, status, message, next_attempt_at, kept)
            VALUES (:id, :number, :row, :rows, :attempt, :started, :latency, :outcome, :status,
              :message, :next, FALSE)
            """;

    private static final String INSERT_CAPTURE =
            """
            INSERT INTO delivery_capture (delivery_id, first_row, place)
            VALUES (:id, :row, :place)
            """;

    private static final int NANOS_A_MICRO = 1_000;

    private final NamedParameterJdbcOperations jdbc;

    JdbcChanges(NamedParameterJdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /** As {@link DeliveryStore#record}. */
    Set<DeliveryLease> record(List<Changes.Made> all) {
        Set<DeliveryLease> lost = new HashSet<>();
        // In one order for all, so that nobody waits in a circle.
        all.stream()
                .sorted(Comparator.comparing(made -> made.changes().lease().delivery()))
                .forEach(
                        made -> {
                            if (!record(made)) {
                                lost.add(made.changes().lease());
                            }
                        });
        return lost;
    }

    private boolean record(Changes.Made made) {
        Changes changes = made.changes();
        DeliveryProgress progress = made.progress();
        int held =
                jdbc.update(
                        PROGRESS,
                        new MapSqlParameterSource("id", changes.lease().delivery())
                                .addValue("epoch", changes.lease().epoch())
                                .addValue("committed", progress.committedRow())
                                .addValue("end", progress.endRow())
                                .addValue("dropped", progress.droppedRows())
                                .addValue("batches", progress.deliveredBatches())
                                .addValue("rows", progress.deliveredRows())
                                .addValue("deadBatches", changes.deadBatches())
                                .addValue("deadRows", changes.deadRows())
                                .addValue("waiting", progress.waitingBatches())
                                .addValue("next", timestamp(progress.nextAttemptAt()))
                                .addValue("attempts", progress.attempts())
                                .addValue("failed", progress.failedAttempts())
                                .addValue("rate", progress.rowsPerSecond())
                                .addValue("since", timestamp(progress.failingSince())));
        if (held == 0) {
            return false;
        }
        String id = changes.lease().delivery();
        batches(id, changes);
        attempts(id, made);
        captures(id, changes);
        return true;
    }

    private void batches(String id, Changes changes) {
        batch(
                "DELETE FROM delivery_batch WHERE delivery_id = :id AND first_row = :row",
                rows(id, changes.removed()));
        List<StoredBatch> kept = changes.kept();
        int[] updated = batch(UPDATE_BATCH, kept.stream().map(b -> batch(id, b)).toList());
        List<MapSqlParameterSource> missing = new ArrayList<>();
        for (int i = 0; i < updated.length; i++) {
            if (updated[i] == 0) {
                missing.add(batch(id, kept.get(i)));
            }
        }
        batch(INSERT_BATCH, missing);
    }

    private static MapSqlParameterSource batch(String id, StoredBatch batch) {
        BatchFailure failure = batch.lastFailure();
        return new MapSqlParameterSource("id", id)
                .addValue("row", batch.firstRow())
                .addValue("rows", batch.rows())
                .addValue("state", batch.state().name())
                .addValue("failures", batch.failures())
                .addValue("throttled", batch.throttled())
                .addValue("next", timestamp(batch.nextAttemptAt()))
                .addValue("reason", failure == null ? null : failure.reason())
                .addValue("message", failure == null ? null : storable(failure.message()))
                .addValue("status", failure == null ? null : failure.status())
                .addValue("head", failure == null ? null : storable(failure.responseHead()))
                .addValue("changed", timestamp(batch.changedAt()));
    }

    private void captures(String id, Changes changes) {
        batch(
                INSERT_CAPTURE,
                changes.places().stream()
                        .map(
                                place ->
                                        new MapSqlParameterSource("id", id)
                                                .addValue("row", place.firstRow())
                                                .addValue("place", place.text()))
                        .toList());
    }

    private void attempts(String id, Changes.Made made) {
        Changes changes = made.changes();
        batch(
                INSERT_ATTEMPT,
                changes.attempts().stream()
                        .map(
                                attempt ->
                                        new MapSqlParameterSource("id", id)
                                                .addValue("number", attempt.number())
                                                .addValue("row", attempt.firstRow())
                                                .addValue("rows", attempt.rows())
                                                .addValue("attempt", attempt.attempt())
                                                .addValue("started", timestamp(attempt.startedAt()))
                                                .addValue(
                                                        "latency",
                                                        attempt.latency().toNanos() / NANOS_A_MICRO)
                                                .addValue("outcome", attempt.outcome())
                                                .addValue("status", attempt.status())
                                                .addValue("message", storable(attempt.message()))
                                                .addValue(
                                                        "next", timestamp(attempt.nextAttemptAt())))
                        .toList());
        batch(
                "UPDATE delivery_attempt SET kept = TRUE WHERE delivery_id = :id AND first_row ="
                        + " :row",
                rows(id, changes.died()));
        if (made.oldestAttempt() > 0) {
            jdbc.update(
                    "DELETE FROM delivery_attempt WHERE delivery_id = :id AND number < :oldest AND"
                            + " NOT kept",
                    new MapSqlParameterSource("id", id).addValue("oldest", made.oldestAttempt()));
        }
    }

    private static List<MapSqlParameterSource> rows(String id, List<Long> rows) {
        return rows.stream()
                .map(row -> new MapSqlParameterSource("id", id).addValue("row", row))
                .toList();
    }

    private int[] batch(String sql, List<MapSqlParameterSource> parameters) {
        return parameters.isEmpty()
                ? new int[0]
                : jdbc.batchUpdate(sql, parameters.toArray(SqlParameterSource[]::new));
    }

    private static @Nullable String storable(@Nullable String text) {
        return text == null ? null : StorableText.forPeople(text);
    }
}
