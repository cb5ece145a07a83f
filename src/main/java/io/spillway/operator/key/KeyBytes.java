package io.spillway.operator.key;

import io.spillway.batch.OffHeap;

/** Comparison and copying of byte strings in memory, a word at a time. */
public final class KeyBytes {

    private static final int SHORT = 64;

    private KeyBytes() {}

    /**
     * Compares as unsigned bytes; a string comes after its prefixes.
     *
     * @return negative, zero or positive
     */
    public static int compare(long left, int leftLength, long right, int rightLength) {
        int common = Math.min(leftLength, rightLength);
        int at = mismatch(left, right, 0, common);
        if (at == common) {
            return Integer.compare(leftLength, rightLength);
        }
        return OffHeap.getUnsignedByte(left + at) - OffHeap.getUnsignedByte(right + at);
    }

    /**
     * The first place, from {@code from} on, where two strings differ, or {@code length} if they do
     * not differ before that.
     */
    public static int mismatch(long left, long right, int from, int length) {
        int i = from;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            long difference = OffHeap.getLong(left + i) ^ OffHeap.getLong(right + i);
            if (difference != 0) {
                return i + (Long.numberOfTrailingZeros(difference) >>> 3);
            }
        }
        while (i < length && OffHeap.getByte(left + i) == OffHeap.getByte(right + i)) {
            i++;
        }
        return i;
    }

    /** Are two strings of one length equal? */
    static boolean equal(long left, long right, int length) {
        return mismatch(left, right, 0, length) == length;
    }

    /**
     * Up to eight bytes as the high bytes of a word, the first one highest, zeros after them: words
     * compare, unsigned, as the strings do. Reads eight bytes at the address, however few count.
     *
     * @param length bytes that there are, none included
     */
    public static long word(long address, int length) {
        long word = Long.reverseBytes(OffHeap.getLong(address));
        return length >= Long.BYTES ? word : word & ~(-1L >>> (length << 3));
    }

    /** Copies bytes that do not overlap; fast where there are few. */
    static void copy(long from, long to, int length) {
        if (length > SHORT) {
            OffHeap.copy(from, to, length);
        } else if (length >= Long.BYTES) {
            int last = length - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES) {
                OffHeap.putLong(to + i, OffHeap.getLong(from + i));
            }
            OffHeap.putLong(to + last, OffHeap.getLong(from + last));
        } else {
            for (int i = 0; i < length; i++) {
                OffHeap.putByte(to + i, OffHeap.getByte(from + i));
            }
        }
    }
}
