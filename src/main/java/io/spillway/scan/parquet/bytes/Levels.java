package io.spillway.scan.parquet.bytes;

import io.spillway.batch.OffHeap;

/**
 * Levels of entries, a byte each, as questions to 64 of them at a time: the answers are the bits of
 * a word, the first entry's lowest. Up to {@link #PADDING} bytes behind the last entry are read.
 *
 * <p>Eight bytes are compared within one word: setting the highest bit of each before a subtraction
 * keeps bytes from borrowing from one another, and a multiplication moves their highest bits to the
 * top byte.
 */
public final class Levels {

    /** Bytes behind the last level that must be readable. */
    public static final int PADDING = 64;

    private static final long EACH = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;

    /** Moves bit {@code 8 i} to bit {@code 56 + i}. */
    private static final long GATHER = 0x0102040810204080L;

    private Levels() {}

    /** The bits of the first of so many entries, 64 at most. */
    public static long first(int count) {
        return count >= Long.SIZE ? -1L : (1L << count) - 1;
    }

    /** Which of 64 entries have a level of {@code least} or more; all of them for 0. */
    public static long atLeast(long levels, int least) {
        if (least == 0) {
            return -1L;
        }
        long bounds = least * EACH;
        long bits = 0;
        for (int i = 0; i < Long.SIZE; i += Long.BYTES) {
            bits |= highBits(atLeast8(OffHeap.getLong(levels + i), bounds)) << i;
        }
        return bits;
    }

    /** Whether one of eight levels is {@code bound} or more. */
    public static boolean anyAtLeast(long eight, int bound) {
        return atLeast8(eight, bound * EACH) != 0;
    }

    /** Sets the highest bit of each byte that is, unsigned, at least the byte of the bounds. */
    private static long atLeast8(long eight, long bounds) {
        long low = (eight | HIGH) - (bounds & ~HIGH);
        return ((eight & ~bounds) | (~(eight ^ bounds) & low)) & HIGH;
    }

    private static long highBits(long word) {
        return ((word >>> 7) * GATHER) >>> 56;
    }

    /** How many of some entries have a level of {@code least} or more. */
    public static int countAtLeast(long levels, int count, int least) {
        int sum = 0;
        for (int i = 0; i < count; i += Long.SIZE) {
            sum += Long.bitCount(atLeast(levels + i, least) & first(count - i));
        }
        return sum;
    }

    /** The place of a word's n-th set bit, counted from 0. */
    public static int place(long word, int n) {
        long rest = word;
        for (int i = 0; i < n; i++) {
            rest &= rest - 1;
        }
        return Long.numberOfTrailingZeros(rest);
    }
}
