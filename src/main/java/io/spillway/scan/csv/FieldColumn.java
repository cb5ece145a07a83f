package io.spillway.scan.csv;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Fields of one column as a vector. */
abstract sealed class FieldColumn permits TextColumn, FixedColumn {

    final ColumnSchema column;
    final NullFields nulls;
    final BufferAllocator allocator;

    FieldColumn(ColumnSchema column, NullFields nulls, BufferAllocator allocator) {
        this.column = column;
        this.nulls = nulls;
        this.allocator = allocator;
    }

    static FieldColumn of(
            ColumnSchema column, CsvDialect dialect, NullFields nulls, BufferAllocator allocator) {
        return column.type() instanceof ColumnType.Utf8
                ? new TextColumn(column, dialect.escape(), nulls, allocator)
                : new FixedColumn(column, dialect.escape(), nulls, allocator);
    }

    /**
     * The vector, the caller's.
     *
     * @param base what starts count from
     * @throws io.spillway.scan.text.TextFault for a field that is not of the type
     */
    abstract FieldVector decode(long base, int[] starts, int[] lengths, int rows);

    /** A column that the file does not have. */
    static FieldVector missing(ColumnSchema column, int rows, BufferAllocator allocator) {
        FieldVector vector = column.toArrow().createVector(allocator);
        vector.setInitialCapacity(rows);
        vector.allocateNew();
        vector.setValueCount(rows);
        return vector;
    }

    /** A vector of these buffers, which are taken over. */
    final FieldVector vector(int rows, int nullCount, List<ArrowBuf> buffers) {
        return Buffers.vector(column.toArrow(), allocator, rows, nullCount, buffers);
    }

    /** Notes which fields are not NULL; returns how many are. */
    final int validity(long bitmap, long base, int[] starts, int[] lengths, int rows) {
        int nullCount = 0;
        for (int row = 0; row < rows; row += Long.SIZE) {
            int n = Math.min(Long.SIZE, rows - row);
            long word = 0;
            for (int i = 0; i < n; i++) {
                boolean valid = !nulls.isNull(base + starts[row + i], lengths[row + i]);
                word |= (valid ? 1L : 0L) << i;
            }
            nullCount += n - Long.bitCount(word);
            OffHeap.putLong(bitmap + row / Byte.SIZE, word);
        }
        return nullCount;
    }

    /** A validity bitmap. */
    final ArrowBuf bitmap(int rows) {
        return Buffers.allocate(allocator, Math.max(Long.BYTES, Bits.bytes(rows)));
    }
}
