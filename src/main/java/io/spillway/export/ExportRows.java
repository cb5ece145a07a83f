package io.spillway.export;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.StorableText;
import io.spillway.plan.document.ExportRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Exports as rows of the table {@code job_export}. */
final class ExportRows {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private ExportRows() {}

    /** Where a failure happened, as JSON. */
    static String context(Export.Failure failure) {
        return StorableText.json(MAPPER.writeValueAsString(failure.context()));
    }

    private static Map<String, Object> context(@Nullable String json) {
        if (json == null) {
            return Map.of();
        }
        try {
            return MAPPER.readValue(json, OBJECT);
        } catch (JacksonException e) {
            throw new SpillwayException(
                    ErrorCode.INTERNAL, "The failure of an export cannot be read", e);
        }
    }

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
                        : new Export.Failure(
                                ErrorCode.valueOf(failure),
                                row.getString("failure"),
                                context(row.getString("failure_context"))),
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
