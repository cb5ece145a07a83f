package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * How much a dictionary's entries take once rows of indices are looked up, which sooner or later
 * most are: encoded batches end where plain ones would, at {@link BytesDecoder#FULL}, though in
 * steps, so that nothing is summed where entries are short.
 */
public final class EntrySizes {

    private final FieldVector entries;
    private final int step;

    /**
     * @param entries the dictionary's; must stay open
     */
    EntrySizes(FieldVector entries) {
        this.entries = entries;
        this.step = Math.max(1, BytesDecoder.FULL / Math.max(1, longest(entries)));
    }

    private static int longest(FieldVector entries) {
        int longest = 0;
        if (entries instanceof BaseVariableWidthVector) {
            long offsets = entries.getOffsetBuffer().memoryAddress();
            int from = 0;
            for (int i = 1; i <= entries.getValueCount(); i++) {
                int to = OffHeap.getInt(offsets + 4L * i);
                longest = Math.max(longest, to - from);
                from = to;
            }
        }
        return longest;
    }

    /** Rows that surely fill no batch, or one row. */
    public int step() {
        return step;
    }

    /** Bytes of the entries that indices point to. */
    public long sum(long indices, int count) {
        if (!(entries instanceof BaseVariableWidthVector)) {
            return 0;
        }
        long offsets = entries.getOffsetBuffer().memoryAddress();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long entry = offsets + 4L * OffHeap.getInt(indices + 4L * i);
            sum += OffHeap.getInt(entry + 4) - OffHeap.getInt(entry);
        }
        return sum;
    }
}
