package io.spillway.expression;

import io.spillway.batch.OffHeap;

/**
 * Decimal digits in memory, eight at a time. Reads up to seven bytes behind what it is asked for,
 * which do not count.
 *
 * @see <a href="https://lemire.me/blog/2022/01/21/swar-explained-parsing-eight-digits/">D. Lemire,
 *     SWAR explained: parsing eight digits</a>
 */
final class DigitRuns {

    /** Runs so long are read. */
    static final int MOST = 18;

    private static final long ZEROS = 0x3030303030303030L;
    private static final long TENS = 100_000_000L;

    private DigitRuns() {}

    /**
     * The number that so many bytes are the digits of, or -1 if one of them is no digit.
     *
     * @param count 1 to {@link #MOST}
     */
    static long read(long address, int count) {
        if (count <= 8) {
            return few(address, count);
        }
        if (count <= 16) {
            long high = few(address, count - 8);
            long low = eight(OffHeap.getLong(address + count - 8));
            return (high | low) < 0 ? -1 : high * TENS + low;
        }
        long high = few(address, count - 16);
        long middle = eight(OffHeap.getLong(address + count - 16));
        long low = eight(OffHeap.getLong(address + count - 8));
        return (high | middle | low) < 0 ? -1 : (high * TENS + middle) * TENS + low;
    }

    /** The number of one to eight digits, or -1. */
    static long few(long address, int count) {
        long word = OffHeap.getLong(address);
        if (count == 8) {
            return eight(word);
        }
        int bits = Byte.SIZE * count;
        return eight((word << (Long.SIZE - bits)) | (ZEROS >>> bits));
    }

    private static long eight(long word) {
        if ((word & 0xF0F0F0F0F0F0F0F0L) != ZEROS
                || (word + 0x0606060606060606L & 0xF0F0F0F0F0F0F0F0L) != ZEROS) {
            return -1;
        }
        long digits = word - ZEROS;
        long pairs = digits * 10 + (digits >>> 8);
        return ((pairs & 0x000000FF000000FFL) * 0x000F424000000064L
                                + (pairs >>> 16 & 0x000000FF000000FFL) * 0x0000271000000001L)
                        >>> 32
                & 0xFFFFFFFFL;
    }
}
