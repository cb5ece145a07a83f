package io.spillway.expression;

import io.spillway.batch.OffHeap;

/**
 * UTF-8 in memory, by code points. A code point starts at every byte that is not a continuation
 * byte, so bytes that are not valid UTF-8 are counted and cut in some consistent way and never lead
 * beyond the text; they stay as they are.
 */
final class Utf8 {

    private static final long TOP_BITS = 0x8080_8080_8080_8080L;

    private Utf8() {}

    private static boolean isContinuation(byte b) {
        return (b & 0xc0) == 0x80;
    }

    /** The start of the code point after the one at {@code at}, or {@code end}. */
    static long next(long at, long end) {
        long next = at + 1;
        while (next < end && isContinuation(OffHeap.getByte(next))) {
            next++;
        }
        return next;
    }

    /** The start of the code point before {@code at}, which is beyond {@code start}. */
    static long previous(long at, long start) {
        long previous = at - 1;
        while (previous > start && isContinuation(OffHeap.getByte(previous))) {
            previous--;
        }
        return previous;
    }

    /** The code point that the bytes encode, or -1. */
    static int decode(long at, int bytes) {
        int lead = OffHeap.getByte(at) & 0xff;
        int point =
                switch (bytes) {
                    case 1 -> lead < 0x80 ? lead : -1;
                    case 2 -> lead >= 0xc2 && lead < 0xe0 ? lead & 0x1f : -1;
                    case 3 -> lead >= 0xe0 && lead < 0xf0 ? lead & 0x0f : -1;
                    case 4 -> lead >= 0xf0 && lead < 0xf5 ? lead & 0x07 : -1;
                    default -> -1;
                };
        for (int i = 1; i < bytes && point >= 0; i++) {
            point = point << 6 | (OffHeap.getByte(at + i) & 0x3f);
        }
        boolean overlong = (bytes == 3 && point < 0x800) || (bytes == 4 && point < 0x10000);
        boolean surrogate = point >= 0xd800 && point < 0xe000;
        return overlong || surrogate || point > Character.MAX_CODE_POINT ? -1 : point;
    }

    /** Number of code points. */
    static int count(long address, int length) {
        int count = 0;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            long word = OffHeap.getLong(address + i);
            // Continuation bytes have their top bit set and the one below clear.
            count += Long.BYTES - Long.bitCount(word & ~(word << 1) & TOP_BITS);
        }
        for (; i < length; i++) {
            count += isContinuation(OffHeap.getByte(address + i)) ? 0 : 1;
        }
        return length > 0 && isContinuation(OffHeap.getByte(address)) ? count + 1 : count;
    }

    /** The place {@code codePoints} further on, or {@code end} if the text is shorter. */
    static long skip(long address, long end, long codePoints) {
        long at = address;
        long left = codePoints;
        while (left > 0 && at < end) {
            // Eight ASCII bytes followed by the start of a code point are eight code points.
            if (left >= Long.BYTES
                    && end - at > Long.BYTES
                    && (OffHeap.getLong(at) & TOP_BITS) == 0
                    && !isContinuation(OffHeap.getByte(at + Long.BYTES))) {
                at += Long.BYTES;
                left -= Long.BYTES;
            } else {
                at = next(at, end);
                left--;
            }
        }
        return at;
    }

    /** Where bytes first occur, or -1. */
    static long find(long from, long end, byte[] wanted) {
        if (wanted.length == 0) {
            return from;
        }
        byte first = wanted[0];
        long lastStart = end - wanted.length;
        for (long at = from; at <= lastStart; at++) {
            if (OffHeap.getByte(at) == first && ByteRuns.equal(at, wanted)) {
                return at;
            }
        }
        return -1;
    }

    /** Where bytes first occur, or -1. */
    static long find(long from, long end, long wanted, int length) {
        if (length == 0) {
            return from;
        }
        byte first = OffHeap.getByte(wanted);
        long lastStart = end - length;
        for (long at = from; at <= lastStart; at++) {
            if (OffHeap.getByte(at) == first && ByteRuns.equal(at, wanted, length)) {
                return at;
            }
        }
        return -1;
    }
}
