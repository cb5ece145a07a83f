package io.spillway.group;

import io.spillway.cursor.LeaseRef;
import io.spillway.encode.ShortReason;
import io.spillway.plan.document.BatchShape;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Groups and leases as rows of the tables {@code job_group} and {@code job_lease}. */
final class GroupRows {

    private GroupRows() {}

    static Group group(ResultSet row, int number) throws SQLException {
        String weight = row.getString("weight_column");
        return new Group(
                row.getString("id"),
                row.getString("job_id"),
                row.getString("name"),
                instant(row, "created_at"),
                new BatchShape(
                        row.getLong("batch_rows"),
                        number(row, "max_bytes"),
                        weight == null
                                ? null
                                : new BatchShape.Weight(weight, row.getLong("weight_max")),
                        row.getBoolean("drop_last")),
                Duration.ofMillis(row.getLong("lease_millis")),
                row.getLong("generation"),
                row.getLong("next_row"),
                row.getLong("next_batch"),
                row.getLong("committed_row"),
                row.getLong("committed_batches"),
                number(row, "end_row"));
    }

    /** A lease with the id of its job beside its own columns. */
    static Lease lease(ResultSet row, int number) throws SQLException {
        String reason = row.getString("short_reason");
        return new Lease(
                new LeaseRef(
                        row.getString("job_id"),
                        row.getString("group_id"),
                        row.getLong("generation"),
                        row.getLong("first_row"),
                        row.getLong("epoch")),
                row.getLong("row_count"),
                reason == null ? null : ShortReason.valueOf(reason),
                row.getLong("attempts"),
                row.getString("reader"),
                instant(row, "leased_until"));
    }

    /** A group with what is counted of its leases beside its own columns. */
    static GroupProgress progress(ResultSet row, int number) throws SQLException {
        Group group = group(row, number);
        OffsetDateTime end = row.getObject("first_end", OffsetDateTime.class);
        return new GroupProgress(
                group,
                group.committedRow() + row.getLong("rows_ahead"),
                group.committedBatches() + row.getLong("batches_ahead"),
                row.getLong("leased"),
                row.getLong("free"),
                end == null ? null : Duration.between(instant(row, "now"), end.toInstant()));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
