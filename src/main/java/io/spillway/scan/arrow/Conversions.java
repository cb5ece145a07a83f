package io.spillway.scan.arrow;

import io.spillway.batch.OffHeap;
import io.spillway.scan.arrow.BatchShape.Slot;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import org.apache.arrow.memory.ArrowBuf;

/** Values of a fixed width in the width that Spillway has for them. */
final class Conversions {

    private static final long MILLIS_PER_DAY = 86_400_000;
    private static final int DECIMAL = 16;

    private Conversions() {}

    /**
     * Converts values as their layout says.
     *
     * @param validity a bitmap; what does not fit is an error only where it has a one
     * @return owned by the caller
     */
    static ArrowBuf convert(Window window, Slot slot, long from, int count, long validity) {
        if (count == 0) {
            return Window.nothing(window.allocator());
        }
        if (!(slot.field().layout()
                instanceof Layout.Fixed(int width, Layout.Conversion conversion))) {
            throw new IllegalStateException("values of no fixed width");
        }
        long source = window.address(slot.firstBuffer() + 1, from * width, (long) count * width);
        boolean days = conversion == Layout.Conversion.DAYS;
        ArrowBuf data =
                Buffers.allocate(
                        window.allocator(), (long) count * (days ? Integer.BYTES : DECIMAL));
        try {
            long target = data.memoryAddress();
            for (int i = 0; i < count; i++) {
                long at = source + (long) width * i;
                boolean fits = days ? day(at, target, i) : decimal(at, width, target, i);
                if (!fits && Bits.get(validity, i)) {
                    throw window.place()
                            .corrupt(
                                    "The field '%s' has a value that does not fit its type"
                                            .formatted(slot.field().name()));
                }
            }
            return data;
        } catch (Throwable t) {
            data.close();
            throw t;
        }
    }

    private static boolean day(long from, long target, int row) {
        long day = Math.floorDiv(OffHeap.getLong(from), MILLIS_PER_DAY);
        OffHeap.putInt(target + (long) Integer.BYTES * row, (int) day);
        return day == (int) day;
    }

    /** An integer of 4, 8 or 32 bytes, little-endian, as one of 16. */
    private static boolean decimal(long from, int width, long target, int row) {
        long low = width == Integer.BYTES ? OffHeap.getInt(from) : OffHeap.getLong(from);
        long high = width <= Long.BYTES ? low >> (Long.SIZE - 1) : OffHeap.getLong(from + 8);
        long to = target + (long) DECIMAL * row;
        OffHeap.putLong(to, low);
        OffHeap.putLong(to + Long.BYTES, high);
        long sign = high >> (Long.SIZE - 1);
        return width <= Long.BYTES
                || (OffHeap.getLong(from + 16) == sign && OffHeap.getLong(from + 24) == sign);
    }
}
