package io.spillway.scan.csv;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.expression.TextValues;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.text.TextFault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Fields as values of fixed width, read as a cast reads texts. */
final class FixedColumn extends FieldColumn {

    private final byte escape;
    private final TextValues values;

    FixedColumn(ColumnSchema column, byte escape, NullFields nulls, BufferAllocator allocator) {
        super(column, nulls, allocator);
        this.escape = escape;
        this.values = TextValues.of(column.type());
    }

    @Override
    FieldVector decode(long base, int[] starts, int[] lengths, int rows) {
        long bytes =
                column.type() instanceof ColumnType.Bool
                        ? Math.max(Long.BYTES, Bits.bytes(rows))
                        : (long) TextValues.width(column.type()) * rows;
        try (ArrowBuf bitmap = bitmap(rows);
                ArrowBuf data = Buffers.allocate(allocator, bytes)) {
            OffHeap.zero(data.memoryAddress(), bytes);
            int nullCount = validity(bitmap.memoryAddress(), base, starts, lengths, rows);
            fill(bitmap.memoryAddress(), data.memoryAddress(), base, starts, lengths, rows);
            bitmap.getReferenceManager().retain();
            data.getReferenceManager().retain();
            return vector(rows, nullCount, List.of(bitmap, data));
        }
    }

    private void fill(long bitmap, long data, long base, int[] starts, int[] lengths, int rows) {
        int escaped = firstEscaped(lengths, rows);
        int read =
                values.readColumn(base, starts, lengths, CsvRecords.LENGTH, escaped, bitmap, data);
        if (read < rows) {
            throw mistyped(base + starts[read], lengths[read]);
        }
    }

    /** The first field with quotes or escapes in it, which no value of fixed width has. */
    private static int firstEscaped(int[] lengths, int rows) {
        int row = 0;
        while (row < rows && (lengths[row] & CsvRecords.ESCAPED) == 0) {
            row++;
        }
        return row;
    }

    private TextFault mistyped(long from, int length) {
        boolean escaped = (length & CsvRecords.ESCAPED) != 0;
        byte[] bytes = FieldBytes.copy(from, length & CsvRecords.LENGTH, escaped, escape);
        String text = new String(bytes, StandardCharsets.UTF_8);
        return new TextFault(
                ErrorCode.INVALID_CAST,
                from,
                "has '%s' in place of a value of type %s"
                        .formatted(TextFault.shown(text), column.type()),
                column.name());
    }
}
