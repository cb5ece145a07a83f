package io.spillway.delivery;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.StorableText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Deliveries, their batches and attempts as rows of tables. */
final class DeliveryRows {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private DeliveryRows() {}

    static Delivery delivery(ResultSet row, int number) throws SQLException {
        String reason = row.getString("reason");
        return new Delivery(
                row.getString("id"),
                row.getString("owner"),
                row.getString("job_id"),
                required(row, "created_at"),
                row.getString("request"),
                DeliveryState.valueOf(row.getString("state")),
                reason == null
                        ? null
                        : new DeliveryReason(
                                reason,
                                row.getString("reason_message"),
                                context(row.getString("reason_context"))),
                progress(row),
                instant(row, "ended_at"));
    }

    private static DeliveryProgress progress(ResultSet row) throws SQLException {
        return new DeliveryProgress(
                row.getLong("committed_row"),
                number(row, "end_row"),
                row.getLong("dropped_rows"),
                row.getLong("delivered_batches"),
                row.getLong("delivered_rows"),
                row.getLong("dead_batches"),
                row.getLong("dead_rows"),
                row.getLong("waiting_batches"),
                instant(row, "next_attempt_at"),
                row.getLong("attempts"),
                row.getLong("failed_attempts"),
                row.getDouble("rows_per_second"),
                instant(row, "failing_since"));
    }

    static DeliveryLease lease(ResultSet row, int number) throws SQLException {
        return new DeliveryLease(row.getString("id"), row.getLong("epoch"));
    }

    static StoredBatch batch(ResultSet row, int number) throws SQLException {
        String reason = row.getString("reason");
        return new StoredBatch(
                row.getLong("first_row"),
                row.getLong("row_count"),
                StoredBatch.State.valueOf(row.getString("state")),
                row.getInt("failures"),
                row.getInt("throttled"),
                instant(row, "next_attempt_at"),
                reason == null
                        ? null
                        : new BatchFailure(
                                reason,
                                row.getString("message"),
                                status(row),
                                row.getString("response_head")),
                required(row, "changed_at"));
    }

    static DeliveryAttempt attempt(ResultSet row, int number) throws SQLException {
        return new DeliveryAttempt(
                row.getLong("number"),
                row.getLong("first_row"),
                row.getLong("row_count"),
                row.getInt("attempt"),
                required(row, "started_at"),
                Duration.of(row.getLong("latency_micros"), ChronoUnit.MICROS),
                row.getString("outcome"),
                status(row),
                row.getString("message"),
                instant(row, "next_attempt_at"));
    }

    /** Where something happened, as JSON. */
    static String context(DeliveryReason reason) {
        return StorableText.json(MAPPER.writeValueAsString(reason.context()));
    }

    private static Map<String, Object> context(@Nullable String json) {
        if (json == null) {
            return Map.of();
        }
        try {
            return MAPPER.readValue(json, OBJECT);
        } catch (JacksonException e) {
            throw new SpillwayException(
                    ErrorCode.INTERNAL, "The reason of a delivery's state cannot be read", e);
        }
    }

    static @Nullable OffsetDateTime timestamp(@Nullable Instant instant) {
        return instant == null
                ? null
                : instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static Instant required(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Integer status(ResultSet row) throws SQLException {
        int status = row.getInt("status");
        return row.wasNull() ? null : status;
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
