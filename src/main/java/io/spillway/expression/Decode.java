package io.spillway.expression;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/** From dictionary indices to plain values, where somebody needs them. */
public final class Decode {

    private Decode() {}

    /** The values of a dictionary-encoded column in plain form; the caller owns the copy. */
    public static FieldVector decode(ColumnVector.Encoded column, BufferAllocator allocator) {
        int[] rows = positions(column.indices());
        return Gather.take(column.dictionary().values(), rows, rows.length, allocator);
    }

    /** Index of each row, -1 where it is null. */
    private static int[] positions(IntVector indices) {
        int count = indices.getValueCount();
        int[] rows = new int[count];
        long data = Vectors.data(indices);
        for (int i = 0; i < count; i++) {
            rows[i] = OffHeap.getInt(data + 4L * i);
        }
        if (indices.getNullCount() != 0) {
            long validity = Vectors.validity(indices);
            for (int i = 0; i < count; i++) {
                if (!Bits.get(validity, i)) {
                    rows[i] = -1;
                }
            }
        }
        return rows;
    }
}
