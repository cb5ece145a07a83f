package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.expression.TextValues;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.text.TextFault;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Values of fixed width: JSON's numbers and truth values, and strings that read as the type, as a
 * cast would read them.
 */
final class JsonFixedColumn extends JsonColumn {

    private final TextValues values;
    private final boolean isBool;
    private final boolean isLong;
    private final boolean isDouble;
    private final int width;
    private @Nullable ArrowBuf data;
    private @Nullable ArrowBuf scratch;

    JsonFixedColumn(ColumnSchema column, BufferAllocator allocator) {
        super(column, allocator);
        this.values = TextValues.of(column.type());
        this.isBool = column.type() instanceof ColumnType.Bool;
        this.isLong = column.type().equals(new ColumnType.Int(Long.SIZE, true));
        this.isDouble = column.type().equals(new ColumnType.FloatingPoint(Double.SIZE));
        this.width = isBool ? 0 : TextValues.width(column.type());
    }

    @Override
    void start(int rows) {
        super.start(rows);
        data = grown(data, bytes(rows));
    }

    private long bytes(long rows) {
        return isBool ? Math.max(Long.BYTES, Bits.bytes(rows)) : Math.max(1, rows * width);
    }

    /** The memory of all values, with a place for the next. */
    private long place() {
        int row = count();
        ArrowBuf there = grown(data, bytes(row + 1L));
        data = there;
        long address = there.memoryAddress();
        if (!isBool) {
            OffHeap.zero(address + (long) row * width, width);
        } else if ((row & 63) == 0) {
            OffHeap.putLong(address + (row >>> 6 << 3), 0);
        }
        return address;
    }

    @Override
    void appendNothing() {
        place();
    }

    @Override
    void appendValue(JsonRows rows, JsonParser parser, JsonToken token) {
        long address = place();
        if (isLong
                && token == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            OffHeap.putLong(address + (long) count() * Long.BYTES, parser.getLongValue());
            return;
        }
        if (isDouble && token.isNumeric()) {
            double value = parser.getDoubleValue();
            if (Double.isInfinite(value)) {
                throw mistyped(rows, parser);
            }
            OffHeap.putLong(
                    address + (long) count() * Double.BYTES, Double.doubleToRawLongBits(value));
            return;
        }
        if (!token.isScalarValue() || !read(parser, address)) {
            throw mistyped(rows, parser);
        }
    }

    private boolean read(JsonParser parser, long address) {
        int length = parser.getStringLength();
        ArrowBuf text = grown(scratch, 3L * length + Buffers.PADDING);
        scratch = text;
        int bytes =
                Utf8Writer.write(
                        parser.getStringCharacters(),
                        parser.getStringOffset(),
                        length,
                        text.memoryAddress());
        return bytes >= 0 && values.read(text.memoryAddress(), bytes, address, count());
    }

    private TextFault mistyped(JsonRows rows, JsonParser parser) {
        String found =
                parser.currentToken() != null && parser.currentToken().isScalarValue()
                        ? "'%s'".formatted(TextFault.shown(parser.getString()))
                        : "an object or array";
        return new TextFault(
                ErrorCode.INVALID_CAST,
                rows.line(),
                "has %s in place of a value of type %s".formatted(found, column.type()),
                column.name());
    }

    @Override
    List<ArrowBuf> buffers() {
        ArrowBuf there = data;
        return there == null ? List.of() : List.of(there);
    }

    @Override
    public void close() {
        super.close();
        ArrowBuf there = data;
        if (there != null) {
            data = null;
            there.close();
        }
        ArrowBuf text = scratch;
        if (text != null) {
            scratch = null;
            text.close();
        }
    }
}
