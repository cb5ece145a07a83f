package io.spillway.expression;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/** Where the bytes of each row of a plain vector of text or bytes are; undefined for nulls. */
final class BytesReader {
    private final long offsets;
    private final long data;
    private final int width;

    BytesReader(FieldVector vector) {
        data = Vectors.data(vector);
        if (vector instanceof BaseVariableWidthVector) {
            offsets = Vectors.offsets(vector);
            width = 0;
        } else {
            offsets = 0;
            width = Vectors.width(vector);
        }
    }

    long address(int row) {
        return data + (offsets == 0 ? (long) width * row : OffHeap.getInt(offsets + 4L * row));
    }

    int length(int row) {
        if (offsets == 0) {
            return width;
        }
        long at = offsets + 4L * row;
        return OffHeap.getInt(at + 4) - OffHeap.getInt(at);
    }
}
