package io.spillway.batch.codec;

import io.spillway.batch.OffHeap;

/**
 * LZ4 blocks that repeat bytes of the blocks in front of them, which the library's decompressors do
 * not take (LZ4 Block Format Description).
 */
final class Lz4LinkedBlock {

    private static final int MIN_MATCH = 4;
    private static final int LONGER = 15;

    private final long fromEnd;

    /** The next byte of the block. */
    private long in;

    private Lz4LinkedBlock(long from, long fromEnd) {
        this.in = from;
        this.fromEnd = fromEnd;
    }

    /**
     * Decompresses a block; writes nothing outside of {@code [to, toEnd)}.
     *
     * @param first the first byte that may be repeated
     * @return the bytes that it gave, or -1 if it is damaged
     */
    static int decompress(long from, long fromEnd, long first, long to, long toEnd) {
        return new Lz4LinkedBlock(from, fromEnd).decompress(first, to, toEnd);
    }

    private int decompress(long first, long to, long toEnd) {
        long out = to;
        while (in < fromEnd) {
            int token = OffHeap.getUnsignedByte(in++);
            long literals = length(token >>> 4);
            if (literals > fromEnd - in || literals > toEnd - out) {
                return -1;
            }
            copy(in, out, literals, toEnd);
            in += literals;
            out += literals;
            if (in == fromEnd) {
                return (int) (out - to);
            }
            if (fromEnd - in < Short.BYTES) {
                return -1;
            }
            int distance = OffHeap.getShort(in) & 0xFFFF;
            in += Short.BYTES;
            long repeated = length(token & LONGER) + MIN_MATCH;
            if (distance == 0 || distance > out - first || repeated > toEnd - out) {
                return -1;
            }
            repeat(out - distance, out, repeated, toEnd);
            out += repeated;
        }
        return -1;
    }

    /** A length of which the token has the beginning; more than there is if it has no end. */
    private long length(int beginning) {
        long length = beginning;
        if (beginning == LONGER) {
            int more = 0xFF;
            while (more == 0xFF) {
                if (in >= fromEnd) {
                    return Integer.MAX_VALUE;
                }
                more = OffHeap.getUnsignedByte(in++);
                length += more;
            }
        }
        return length;
    }

    /** Copies literals: short ones as a word, where there is room to read and write one. */
    private void copy(long from, long to, long bytes, long toEnd) {
        if (bytes <= Long.BYTES && fromEnd - from >= Long.BYTES && toEnd - to >= Long.BYTES) {
            OffHeap.putLong(to, OffHeap.getLong(from));
        } else {
            OffHeap.copy(from, to, bytes);
        }
    }

    /** Copies bytes forward, so that those that were just written are repeated. */
    private static void repeat(long from, long to, long bytes, long toEnd) {
        long i = 0;
        if (to - from >= Long.BYTES) {
            long words = toEnd - to >= bytes + Long.BYTES ? bytes : bytes - Long.BYTES + 1;
            for (; i < words; i += Long.BYTES) {
                OffHeap.putLong(to + i, OffHeap.getLong(from + i));
            }
        }
        for (; i < bytes; i++) {
            OffHeap.putByte(to + i, OffHeap.getByte(from + i));
        }
    }
}
