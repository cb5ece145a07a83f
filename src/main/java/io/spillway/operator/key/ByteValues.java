package io.spillway.operator.key;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/** Texts and bytes of any length. */
final class ByteValues extends KeyValues {

    /** What a zero byte is followed by; more than {@link #END}. */
    private static final int ESCAPED = 0xff;

    /** What the zero byte that ends a value is followed by. */
    private static final int END = 1;

    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private long offsets;
    private long data;

    ByteValues(KeyForm form, boolean marked) {
        super(form, marked);
    }

    @Override
    void bind(FieldVector vector) {
        super.bind(vector);
        boolean empty = vector.getValueCount() == 0;
        offsets = empty ? 0 : vector.getOffsetBuffer().memoryAddress();
        data = empty ? 0 : vector.getDataBuffer().memoryAddress();
    }

    @Override
    int length(int row) {
        if (nulls.at(row)) {
            return 1;
        }
        long at = offsets + 4L * row;
        int start = OffHeap.getInt(at);
        int bytes = OffHeap.getInt(at + 4) - start;
        int more = marked ? 1 : 0;
        return form.ordered()
                ? sum(bytes, zeros(data + start, bytes) + 2 + more)
                : sum(bytes, Integer.BYTES + more);
    }

    @Override
    long write(int row, long address) {
        long at = address;
        if (marked) {
            boolean absent = nulls.at(row);
            OffHeap.putByte(at++, absent ? form.absent() : form.value());
            if (absent) {
                return at;
            }
        }
        int start = OffHeap.getInt(offsets + 4L * row);
        int bytes = OffHeap.getInt(offsets + 4L * row + 4) - start;
        if (form.ordered()) {
            return escaped(data + start, bytes, at);
        }
        OffHeap.putInt(at, bytes);
        KeyBytes.copy(data + start, at + Integer.BYTES, bytes);
        return at + Integer.BYTES + bytes;
    }

    private long escaped(long from, int bytes, long address) {
        long mask = form.wideMask();
        long at = address;
        int i = 0;
        while (i < bytes) {
            if (i + Long.BYTES <= bytes) {
                long word = OffHeap.getLong(from + i);
                if (!hasZero(word)) {
                    OffHeap.putLong(at, word ^ mask);
                    at += Long.BYTES;
                    i += Long.BYTES;
                    continue;
                }
            }
            for (int end = Math.min(bytes, i + Long.BYTES); i < end; i++) {
                byte value = OffHeap.getByte(from + i);
                OffHeap.putByte(at++, form.masked(value));
                if (value == 0) {
                    OffHeap.putByte(at++, form.masked(ESCAPED));
                }
            }
        }
        OffHeap.putByte(at++, form.masked(0));
        OffHeap.putByte(at++, form.masked(END));
        return at;
    }

    private static int zeros(long from, int bytes) {
        int count = 0;
        int i = 0;
        while (i < bytes) {
            if (i + Long.BYTES <= bytes && !hasZero(OffHeap.getLong(from + i))) {
                i += Long.BYTES;
                continue;
            }
            for (int end = Math.min(bytes, i + Long.BYTES); i < end; i++) {
                count += OffHeap.getByte(from + i) == 0 ? 1 : 0;
            }
        }
        return count;
    }

    /** Whether any byte of a word is zero (S. Anderson, "Bit Twiddling Hacks"). */
    private static boolean hasZero(long word) {
        return (word - LOW_BITS & ~word & HIGH_BITS) != 0;
    }
}
