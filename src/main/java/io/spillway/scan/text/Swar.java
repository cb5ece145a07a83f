package io.spillway.scan.text;

import io.spillway.batch.OffHeap;

/**
 * Bytes, eight at a time, as a word ("SIMD within a register"; H. Warren, "Hacker's Delight", 6-1).
 * Words are little-endian: the first byte is the lowest.
 */
public final class Swar {

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;

    private Swar() {}

    /** A word that has a byte eight times. */
    public static long repeat(byte value) {
        return (value & 0xFFL) * ONES;
    }

    /**
     * The bytes of a word that are 0, as the highest bit of each; the lowest of these bits is
     * exact, higher ones may be too many.
     */
    public static long zeros(long word) {
        return (word - ONES) & ~word & HIGHS;
    }

    /** The bytes of a word that are 0, as the highest bit of each, exactly. */
    private static long exactZeros(long word) {
        return ~(((word & ~HIGHS) + ~HIGHS) | word | ~HIGHS);
    }

    /** The number of the lowest byte whose highest bit is set. */
    public static int first(long highs) {
        return Long.numberOfTrailingZeros(highs) >>> 3;
    }

    /** How often a byte occurs in {@code [from, to)}. */
    public static long count(long from, long to, byte value) {
        long pattern = repeat(value);
        long count = 0;
        long at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            count += Long.bitCount(exactZeros(OffHeap.getLong(at) ^ pattern));
        }
        for (; at < to; at++) {
            count += OffHeap.getByte(at) == value ? 1 : 0;
        }
        return count;
    }

    /** Where a byte first occurs in {@code [from, to)}, or -1. */
    public static long find(long from, long to, byte value) {
        long pattern = repeat(value);
        long at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long found = zeros(OffHeap.getLong(at) ^ pattern);
            if (found != 0) {
                return at + first(found);
            }
        }
        for (; at < to; at++) {
            if (OffHeap.getByte(at) == value) {
                return at;
            }
        }
        return -1;
    }

    /** The end of the run of ASCII bytes other than NUL from an address on; up to {@code to}. */
    static long asciiEnd(long from, long to) {
        long at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long word = OffHeap.getLong(at);
            if (((word | (word - ONES)) & HIGHS) != 0) {
                break;
            }
        }
        while (at < to && OffHeap.getByte(at) > 0) {
            at++;
        }
        return at;
    }
}
