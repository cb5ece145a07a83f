package io.spillway.expression;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/**
 * Takes values of columns by row number. A column keeps its form: of a dictionary-encoded one only
 * the indices are copied, and the dictionary is shared.
 */
public final class Gather {

    private Gather() {}

    /**
     * The selected rows as a batch of its own, which the caller owns; {@code batch} stays open.
     * Shares buffers where all rows are selected, copies otherwise.
     */
    public static RecordBatch gather(
            RecordBatch batch, Selection selection, BufferAllocator allocator) {
        if (selection.count() == batch.rowCount()) {
            return batch.slice(0, batch.rowCount());
        }
        int columns = batch.schema().size();
        List<ColumnVector> parts = new ArrayList<>(columns);
        try {
            for (int i = 0; i < columns; i++) {
                parts.add(gather(batch.column(i), selection, allocator));
            }
            return new RecordBatch(batch.schema(), parts, selection.count());
        } catch (Throwable t) {
            parts.forEach(ColumnVector::close);
            throw t;
        }
    }

    /** The selected values of a column, in its form; the caller owns the copy. */
    public static ColumnVector gather(
            ColumnVector column, Selection selection, BufferAllocator allocator) {
        return take(column, selection.rows(), selection.count(), allocator);
    }

    /**
     * Values of a column at positions, in its form; the caller owns the copy.
     *
     * @param rows positions in any order and any number of times, of which the first {@code count}
     *     are used; a negative one gives null
     */
    public static ColumnVector take(
            ColumnVector column, int[] rows, int count, BufferAllocator allocator) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) ->
                    new ColumnVector.Plain(take(vector, rows, count, allocator));
            case ColumnVector.Encoded(IntVector indices, var dictionary) -> {
                FieldVector taken = take(indices, rows, count, allocator);
                yield new ColumnVector.Encoded((IntVector) taken, dictionary.retain());
            }
        };
    }

    /**
     * Values of a vector at positions, in any order and any number of times.
     *
     * @param rows positions, of which the first {@code count} are used; a negative one gives null
     */
    static FieldVector take(FieldVector vector, int[] rows, int count, BufferAllocator allocator) {
        return switch (vector) {
            case BaseVariableWidthVector _ -> takeBytes(vector, rows, count, allocator);
            case BaseFixedWidthVector _ -> takeFixed(vector, rows, count, allocator);
            default ->
                    RunCopy.copy(
                            vector.getField(),
                            new FieldVector[] {vector},
                            Runs.of(rows, count),
                            allocator);
        };
    }

    private static FieldVector takeFixed(
            FieldVector vector, int[] rows, int count, BufferAllocator allocator) {
        try (FixedOutput out = new FixedOutput(vector.getField(), count, allocator)) {
            takeValidity(vector, rows, count, out.validity());
            long from = Vectors.data(vector);
            long to = out.data();
            int width = ((BaseFixedWidthVector) vector).getTypeWidth();
            switch (width) {
                case 0 -> takeBits(from, rows, count, to);
                case 1 -> {
                    for (int i = 0; i < count; i++) {
                        int row = rows[i];
                        OffHeap.putByte(to + i, row < 0 ? 0 : OffHeap.getByte(from + row));
                    }
                }
                case 2 -> {
                    for (int i = 0; i < count; i++) {
                        int row = rows[i];
                        short value = row < 0 ? 0 : OffHeap.getShort(from + 2L * row);
                        OffHeap.putShort(to + 2L * i, value);
                    }
                }
                case 4 -> {
                    for (int i = 0; i < count; i++) {
                        int row = rows[i];
                        int value = row < 0 ? 0 : OffHeap.getInt(from + 4L * row);
                        OffHeap.putInt(to + 4L * i, value);
                    }
                }
                case 8 -> {
                    for (int i = 0; i < count; i++) {
                        int row = rows[i];
                        long value = row < 0 ? 0 : OffHeap.getLong(from + 8L * row);
                        OffHeap.putLong(to + 8L * i, value);
                    }
                }
                default -> {
                    for (int i = 0; i < count; i++) {
                        long target = to + (long) width * i;
                        if (rows[i] < 0) {
                            OffHeap.zero(target, width);
                        } else {
                            OffHeap.copy(from + (long) width * rows[i], target, width);
                        }
                    }
                }
            }
            return out.take();
        }
    }

    private static FieldVector takeBytes(
            FieldVector vector, int[] rows, int count, BufferAllocator allocator) {
        long offsets = Vectors.offsets(vector);
        long data = Vectors.data(vector);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            if (rows[i] >= 0) {
                long at = offsets + 4L * rows[i];
                bytes += OffHeap.getInt(at + 4) - OffHeap.getInt(at);
            }
        }
        try (BytesOutput out = new BytesOutput(vector.getField(), count, bytes, allocator)) {
            takeValidity(vector, rows, count, out.validity());
            for (int i = 0; i < count; i++) {
                if (rows[i] < 0) {
                    out.end(0);
                } else {
                    long at = offsets + 4L * rows[i];
                    int start = OffHeap.getInt(at);
                    out.append(data + start, OffHeap.getInt(at + 4) - start);
                }
            }
            return out.take();
        }
    }

    private static void takeBits(long from, int[] rows, int count, long to) {
        for (int w = 0; w < Bits.words(count); w++) {
            int end = Math.min(64, count - (w << 6));
            long bits = 0;
            for (int i = 0; i < end; i++) {
                int row = rows[(w << 6) + i];
                if (row >= 0 && Bits.get(from, row)) {
                    bits |= 1L << i;
                }
            }
            Bits.store(to, w, count, bits);
        }
    }

    private static void takeValidity(FieldVector vector, int[] rows, int count, long to) {
        if (vector.getNullCount() != 0) {
            takeBits(Vectors.validity(vector), rows, count, to);
            return;
        }
        for (int w = 0; w < Bits.words(count); w++) {
            int end = Math.min(64, count - (w << 6));
            long bits = 0;
            for (int i = 0; i < end; i++) {
                bits |= (long) (~rows[(w << 6) + i] >>> 31) << i;
            }
            Bits.store(to, w, count, bits);
        }
    }
}
