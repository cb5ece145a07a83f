package io.spillway.export;

import io.spillway.error.ErrorCode;
import io.spillway.plan.document.ExportRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Exports as rows of the table {@code job_export}. */
final class ExportRows {

    private ExportRows() {}

    static Export export(ResultSet row, int number) throws SQLException {
        ExportState state = ExportState.valueOf(row.getString("state"));
        String files = row.getString("files");
        String failure = row.getString("failure_code");
        return new Export(
                row.getString("id"),
                row.getString("owner"),
                new ExportRequest(
                        row.getString("job_id"),
                        row.getString("path"),
                        row.getBoolean("overwrite"),
                        number(row, "max_file_rows"),
                        number(row, "max_file_bytes")),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getBoolean("canceled") ? ExportState.CANCELED : state,
                row.getLong("rows_written"),
                row.getLong("bytes_written"),
                files == null ? List.of() : ExportedFile.fromJson(files),
                failure == null
                        ? null
                        : new Export.Failure(ErrorCode.valueOf(failure), row.getString("failure")),
                instant(row));
    }

    static ExportStore.Claim claim(ResultSet row, int number) throws SQLException {
        return new ExportStore.Claim(
                export(row, number),
                new ExportLease(row.getString("id"), row.getLong("epoch")),
                row.getInt("attempts"),
                row.getBoolean("canceled"),
                row.getString("files") != null);
    }

    private static @Nullable Instant instant(ResultSet row) throws SQLException {
        OffsetDateTime time = row.getObject("ended_at", OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
