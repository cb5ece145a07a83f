package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.scan.text.TextFault;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Arrays. */
final class JsonListColumn extends JsonColumn {

    private final JsonColumn elements;
    private @Nullable ArrowBuf offsets;

    JsonListColumn(ColumnSchema column, ColumnType.ListOf list, BufferAllocator allocator) {
        super(column, allocator);
        this.elements =
                JsonColumn.of(
                        new ColumnSchema(column.name(), list.element(), list.nullable()),
                        allocator);
    }

    @Override
    void start(int values) {
        super.start(values);
        elements.start(values);
        offsets = grown(offsets, (values + 1L) * Integer.BYTES);
        end(0);
    }

    private void end(int values) {
        ArrowBuf there = grown(offsets, (values + 1L) * Integer.BYTES);
        offsets = there;
        OffHeap.putInt(there.memoryAddress() + (long) values * Integer.BYTES, elements.count());
    }

    @Override
    void appendNothing() {
        end(count() + 1);
    }

    @Override
    void appendValue(JsonRows rows, JsonParser parser, JsonToken token) {
        if (token != JsonToken.START_ARRAY) {
            throw new TextFault(
                    ErrorCode.INVALID_CAST,
                    rows.line(),
                    "has something else in place of an array",
                    column.name());
        }
        for (JsonToken next = parser.nextToken();
                next != JsonToken.END_ARRAY;
                next = parser.nextToken()) {
            if (next == JsonToken.VALUE_NULL) {
                elements.appendNull();
            } else {
                elements.append(rows, parser, next);
            }
        }
        end(count() + 1);
    }

    @Override
    List<ArrowBuf> buffers() {
        ArrowBuf there = offsets;
        return there == null ? List.of() : List.of(there);
    }

    @Override
    void finishChildren(FieldVector vector) {
        elements.load(vector.getChildrenFromFields().getFirst());
    }

    @Override
    public void close() {
        super.close();
        elements.close();
        ArrowBuf there = offsets;
        if (there != null) {
            offsets = null;
            there.close();
        }
    }
}
