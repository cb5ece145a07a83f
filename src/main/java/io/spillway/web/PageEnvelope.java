package io.spillway.web;

import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The text around the rows of a JSON page. The rows themselves come as bytes, so the document is
 * put together around them.
 */
final class PageEnvelope {

    private final JsonMapper mapper;

    PageEnvelope(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Where the next page starts, and why this one ended. */
    record Next(long offset, String cursor, String href, String reason) {}

    /** Everything up to the first row. */
    byte[] head(RowSchema schema, long offset) {
        String columns = mapper.writeValueAsString(JobDocument.ColumnDocument.of(schema));
        return utf8("{\"schema\":" + columns + ",\"offset\":" + offset + ",\"rows\":[");
    }

    /** Everything after the last row. */
    byte[] tail(@Nullable Next next, @Nullable Long rowCount) {
        String after = mapper.writeValueAsString(next);
        return utf8("],\"next\":" + after + ",\"rowCount\":" + rowCount + "}");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
