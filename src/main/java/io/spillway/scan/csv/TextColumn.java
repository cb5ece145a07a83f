package io.spillway.scan.csv;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Fields as texts. */
final class TextColumn extends FieldColumn {

    private final byte escape;

    TextColumn(ColumnSchema column, byte escape, NullFields nulls, BufferAllocator allocator) {
        super(column, nulls, allocator);
        this.escape = escape;
    }

    @Override
    FieldVector decode(long base, int[] starts, int[] lengths, int rows) {
        long total = 0;
        for (int row = 0; row < rows; row++) {
            total += lengths[row] & CsvRecords.LENGTH;
        }
        try (ArrowBuf bitmap = bitmap(rows);
                ArrowBuf offsets = Buffers.allocate(allocator, Integer.BYTES * (rows + 1L));
                ArrowBuf data = Buffers.allocate(allocator, total + Buffers.PADDING)) {
            int nullCount = validity(bitmap.memoryAddress(), base, starts, lengths, rows);
            fill(
                    bitmap.memoryAddress(),
                    offsets.memoryAddress(),
                    data.memoryAddress(),
                    base,
                    starts,
                    lengths,
                    rows);
            for (ArrowBuf buffer : List.of(bitmap, offsets, data)) {
                buffer.getReferenceManager().retain();
            }
            return vector(rows, nullCount, List.of(bitmap, offsets, data));
        }
    }

    private void fill(
            long bitmap, long offsets, long data, long base, int[] starts, int[] lengths, int n) {
        int at = 0;
        OffHeap.putInt(offsets, 0);
        for (int row = 0; row < n; row++) {
            int length = lengths[row];
            int bytes = length & CsvRecords.LENGTH;
            long from = base + starts[row];
            if ((length & CsvRecords.ESCAPED) != 0) {
                at += FieldBytes.copy(from, bytes, escape, data + at);
            } else if (Bits.get(bitmap, row)) {
                Buffers.copyPadded(from, data + at, bytes);
                at += bytes;
            }
            OffHeap.putInt(offsets + Integer.BYTES * (row + 1L), at);
        }
    }
}
