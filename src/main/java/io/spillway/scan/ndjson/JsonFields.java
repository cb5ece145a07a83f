package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The columns that the fields of objects become; fields that an object does not have are null. */
final class JsonFields implements AutoCloseable {

    private final List<JsonColumn> columns = new ArrayList<>();
    private final Map<String, JsonColumn> byName = new HashMap<>();

    JsonFields(List<ColumnSchema> fields, BufferAllocator allocator) {
        for (ColumnSchema field : fields) {
            JsonColumn column = JsonColumn.of(field, allocator);
            columns.add(column);
            byName.put(field.name(), column);
        }
    }

    List<JsonColumn> columns() {
        return columns;
    }

    /** Begins with no values and room for some. */
    void start(int values) {
        columns.forEach(column -> column.start(values));
    }

    /**
     * Appends an object's fields.
     *
     * @param parser at its beginning; left at its end
     */
    void append(JsonRows rows, JsonParser parser) {
        int complete = columns.isEmpty() ? 0 : columns.getFirst().count();
        complete++;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            JsonColumn column = byName.get(parser.currentName());
            JsonToken token = parser.nextToken();
            if (column == null || column.count() >= complete) {
                parser.skipChildren();
            } else if (token == JsonToken.VALUE_NULL) {
                column.appendNull();
            } else {
                column.append(rows, parser, token);
            }
        }
        for (JsonColumn column : columns) {
            if (column.count() < complete) {
                column.appendNull();
            }
        }
    }

    /** Appends a null to each. */
    void appendNull() {
        columns.forEach(JsonColumn::appendNull);
    }

    @Override
    public void close() {
        columns.forEach(JsonColumn::close);
    }
}
