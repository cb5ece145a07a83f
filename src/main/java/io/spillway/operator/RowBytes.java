package io.spillway.operator;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * How many bytes rows of a batch take once they are copied; bitmaps are not counted. The batch
 * stays its owner's, and open for as long as this is used.
 */
public final class RowBytes {

    /** For {@link #RowBytes}: all columns are copied. */
    public static final int NONE = -1;

    private final List<FieldVector> vectors = new ArrayList<>();
    private long fixed;

    /**
     * The rows of a batch.
     *
     * @param except a column that is not copied, or {@link #NONE}
     */
    public RowBytes(RecordBatch batch, int except) {
        for (int i = 0; i < batch.schema().size(); i++) {
            if (i != except) {
                add(batch.column(i));
            }
        }
    }

    private void add(ColumnVector column) {
        switch (column) {
            case ColumnVector.Encoded _ -> fixed += Integer.BYTES;
            case ColumnVector.Plain(BaseFixedWidthVector vector) -> fixed += of(vector, 0, 1);
            case ColumnVector.Plain(FieldVector vector) -> vectors.add(vector);
        }
    }

    /** The most bytes that any row takes. */
    public long max(int rows) {
        if (vectors.isEmpty()) {
            return fixed;
        }
        long max = fixed;
        for (int i = 0; i < rows; i++) {
            max = Math.max(max, of(i));
        }
        return max;
    }

    /** Bytes of one row. */
    public long of(int row) {
        long bytes = fixed;
        for (FieldVector vector : vectors) {
            bytes += of(vector, row, row + 1);
        }
        return bytes;
    }

    /** Bytes of values {@code [from, to)} of a vector. */
    public static long of(FieldVector vector, int from, int to) {
        if (from == to) {
            return 0; // a vector of no values may have no buffers
        }
        return switch (vector) {
            case StructVector struct -> {
                long bytes = 0;
                for (FieldVector field : struct.getChildrenFromFields()) {
                    bytes += of(field, from, to);
                }
                yield bytes;
            }
            // Maps, too, are lists to Arrow: of their entries.
            case ListVector list ->
                    (long) Integer.BYTES * (to - from)
                            + of(list.getDataVector(), offset(list, from), offset(list, to));
            case BaseVariableWidthVector bytes ->
                    (long) Integer.BYTES * (to - from) + offset(bytes, to) - offset(bytes, from);
            case BitVector _ -> (to - from + 7L) / 8;
            case BaseFixedWidthVector values -> (long) values.getTypeWidth() * (to - from);
            default -> throw new IllegalArgumentException("a vector of " + vector.getMinorType());
        };
    }

    /** Where a list's elements, or a text's bytes, begin. */
    static int offset(FieldVector vector, int index) {
        return OffHeap.getInt(
                vector.getOffsetBuffer().memoryAddress() + (long) Integer.BYTES * index);
    }
}
