package io.spillway.scan.arrow;

import io.spillway.batch.OffHeap;
import io.spillway.scan.arrow.BatchShape.Slot;

/**
 * Texts and bytes as views (Arrow columnar format, "Variable-size binary view layout"): a length,
 * and either up to 12 bytes, or the first 4, a buffer's number and an offset in it.
 */
final class Views {

    static final int BYTES = 16;

    private static final int INLINE = 12;
    private static final int BUFFER = 8;
    private static final int OFFSET = 12;

    private Views() {}

    /** Bytes of values, nulls included, as far as their views make sense. */
    static long bytes(Window window, Slot slot, long from, long count) {
        if (count == 0) {
            return 0;
        }
        long views = window.address(slot.firstBuffer() + 1, from * BYTES, count * BYTES);
        long sum = 0;
        for (long i = 0; i < count; i++) {
            sum += Math.max(0, OffHeap.getInt(views + BYTES * i));
        }
        return sum;
    }

    /** The length of the value that a view stands for. */
    static int length(long view) {
        return OffHeap.getInt(view);
    }

    /**
     * Copies a value.
     *
     * @param length of it, not negative
     */
    static void copy(Window window, Slot slot, long view, int length, long to) {
        if (length <= INLINE) {
            OffHeap.copy(view + Integer.BYTES, to, length);
            return;
        }
        int buffer = OffHeap.getInt(view + BUFFER);
        int offset = OffHeap.getInt(view + OFFSET);
        if (buffer < 0 || buffer >= slot.bufferCount() - 2) {
            throw window.place().corrupt("A view points to buffer %,d".formatted(buffer));
        }
        OffHeap.copy(window.address(slot.firstBuffer() + 2 + buffer, offset, length), to, length);
    }
}
