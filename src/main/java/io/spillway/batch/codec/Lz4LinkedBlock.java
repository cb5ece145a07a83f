package io.spillway.batch.codec;

import io.spillway.batch.OffHeap;

/**
 * LZ4 blocks that repeat bytes of the blocks in front of them, which the library's decompressors do
 * not take (LZ4 Block Format Description).
 */
final class Lz4LinkedBlock {

    private static final int MIN_MATCH = 4;
    private static final int LONGER = 15;

    private Lz4LinkedBlock() {}

    /**
     * Decompresses a block; writes nothing outside of {@code [to, toEnd)}.
     *
     * @param first the first byte that may be repeated
     * @return the bytes that it gave, or -1 if it is damaged
     */
    static int decompress(long from, long fromEnd, long first, long to, long toEnd) {
        long in = from;
        long out = to;
        while (in < fromEnd) {
            int token = OffHeap.getUnsignedByte(in++);
            long literals = token >>> 4;
            if (literals == LONGER) {
                int more;
                do {
                    if (in >= fromEnd) {
                        return -1;
                    }
                    more = OffHeap.getUnsignedByte(in++);
                    literals += more;
                } while (more == 0xFF);
            }
            if (literals > fromEnd - in || literals > toEnd - out) {
                return -1;
            }
            copy(in, out, literals, fromEnd, toEnd);
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
            long length = token & LONGER;
            if (length == LONGER) {
                int more;
                do {
                    if (in >= fromEnd) {
                        return -1;
                    }
                    more = OffHeap.getUnsignedByte(in++);
                    length += more;
                } while (more == 0xFF);
            }
            length += MIN_MATCH;
            if (distance == 0 || distance > out - first || length > toEnd - out) {
                return -1;
            }
            repeat(out - distance, out, length, toEnd);
            out += length;
        }
        return -1;
    }

    /** Copies literals: short ones as a word, where there is room to read and write one. */
    private static void copy(long from, long to, long bytes, long fromEnd, long toEnd) {
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
