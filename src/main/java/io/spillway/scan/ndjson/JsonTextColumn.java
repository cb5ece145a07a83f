package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.text.TextFault;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Texts; what is no string is the JSON text that stands there. */
final class JsonTextColumn extends JsonColumn {

    /** Bytes of a UTF-16 unit in UTF-8, at most. */
    private static final int MOST = 3;

    private static final int USUAL = 16;

    private @Nullable ArrowBuf offsets;
    private @Nullable ArrowBuf data;
    private int length;

    JsonTextColumn(ColumnSchema column, BufferAllocator allocator) {
        super(column, allocator);
    }

    @Override
    void start(int values) {
        super.start(values);
        length = 0;
        offsets = grown(offsets, (values + 1L) * Integer.BYTES);
        data = grown(data, (long) values * USUAL);
        end(0);
    }

    private void end(int values) {
        ArrowBuf there = grown(offsets, (values + 1L) * Integer.BYTES);
        offsets = there;
        OffHeap.putInt(there.memoryAddress() + (long) values * Integer.BYTES, length);
    }

    private long room(long bytes) {
        ArrowBuf there = grown(data, length + bytes + Buffers.PADDING);
        data = there;
        return there.memoryAddress() + length;
    }

    @Override
    void appendNothing() {
        end(count() + 1);
    }

    @Override
    void appendValue(JsonRows rows, JsonParser parser, JsonToken token) {
        switch (token) {
            case START_OBJECT, START_ARRAY -> {
                int from = JsonRows.tokenOffset(parser);
                parser.skipChildren();
                int bytes = JsonRows.offset(parser) - from;
                OffHeap.copy(rows.address(from), room(bytes), bytes);
                length += bytes;
            }
            default -> {
                int bytes = parser.getStringLength();
                int written =
                        Utf8Writer.write(
                                parser.getStringCharacters(),
                                parser.getStringOffset(),
                                bytes,
                                room((long) MOST * bytes));
                if (written < 0) {
                    throw new TextFault(
                            ErrorCode.INVALID_TEXT,
                            rows.line(),
                            "has half of a surrogate pair",
                            column.name());
                }
                length += written;
            }
        }
        end(count() + 1);
    }

    @Override
    List<ArrowBuf> buffers() {
        ArrowBuf ends = offsets;
        ArrowBuf bytes = data;
        return ends == null || bytes == null ? List.of() : List.of(ends, bytes);
    }

    @Override
    public void close() {
        super.close();
        ArrowBuf ends = offsets;
        if (ends != null) {
            offsets = null;
            ends.close();
        }
        ArrowBuf bytes = data;
        if (bytes != null) {
            data = null;
            bytes.close();
        }
    }
}
