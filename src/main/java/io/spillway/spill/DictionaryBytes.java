package io.spillway.spill;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;

/** How much a dictionary-encoded column takes in plain form. */
final class DictionaryBytes {

    private DictionaryBytes() {}

    /** Bytes; exact for entries of text and binary, where rows differ most. */
    static long of(ColumnVector.Encoded column) {
        FieldVector entries = column.dictionary().values();
        int count = column.size();
        if (entries instanceof BaseVariableWidthVector) {
            return BitVectorHelper.getValidityBufferSizeFromCount(count)
                    + BlockColumns.offsetBytes(count)
                    + lengths(column, entries);
        }
        long all = BlockColumns.bytes(entries, entries.getValueCount());
        return entries.getValueCount() == 0 ? count : all * count / entries.getValueCount() + 1;
    }

    private static long lengths(ColumnVector.Encoded column, FieldVector entries) {
        if (entries.getValueCount() == 0) {
            return 0;
        }
        long indices = column.indices().getDataBuffer().memoryAddress();
        long validity = column.indices().getValidityBuffer().memoryAddress();
        long offsets = entries.getOffsetBuffer().memoryAddress();
        long sum = 0;
        for (int i = 0; i < column.size(); i++) {
            if ((OffHeap.getByte(validity + (i >>> 3)) >>> (i & 7) & 1) != 0) {
                long at = offsets + (long) Integer.BYTES * OffHeap.getInt(indices + 4L * i);
                sum += OffHeap.getInt(at + Integer.BYTES) - OffHeap.getInt(at);
            }
        }
        return sum;
    }
}
