package io.spillway.encode;

import io.spillway.batch.OffHeap;

/**
 * Bitmaps in Arrow's memory: bit i is bit {@code i % 8}, from the lowest, of byte {@code i / 8}.
 */
final class Bits {

    private Bits() {}

    /** Bytes of a bitmap. */
    static long bytes(int bits) {
        return (bits + 7L) >>> 3;
    }

    static boolean get(long address, int bit) {
        return (OffHeap.getByte(address + (bit >>> 3)) >>> (bit & 7) & 1) != 0;
    }

    /**
     * Up to 64 bits as one word, from its lowest bit on; the others are 0. Reads no byte that has
     * none of them.
     *
     * @param count how many, from 1 to 64
     */
    static long word(long address, int from, int count) {
        long at = address + (from >>> 3);
        int shift = from & 7;
        if (count == Long.SIZE) {
            long low = OffHeap.getLong(at) >>> shift;
            return shift == 0
                    ? low
                    : low | (long) OffHeap.getByte(at + Long.BYTES) << (Long.SIZE - shift);
        }
        int bytes = (shift + count + 7) >>> 3;
        long word = 0;
        for (int i = 0; i < Math.min(bytes, Long.BYTES); i++) {
            word |= (long) OffHeap.getUnsignedByte(at + i) << (Byte.SIZE * i);
        }
        word >>>= shift;
        if (bytes > Long.BYTES) {
            word |= (long) OffHeap.getByte(at + Long.BYTES) << (Long.SIZE - shift);
        }
        return word & mask(count);
    }

    /** As many ones, from 1 to 64. */
    static long mask(int count) {
        return -1L >>> (Long.SIZE - count);
    }

    /** How many of the bits {@code [from, from + count)} are 0. */
    static int zeros(long address, int from, int count) {
        int zeros = count;
        for (int i = 0; i < count; i += Long.SIZE) {
            zeros -= Long.bitCount(word(address, from + i, Math.min(Long.SIZE, count - i)));
        }
        return zeros;
    }

    /** Copies bits {@code [from, from + count)}; the rest of the last byte becomes 0. */
    static void copy(long source, int from, int count, long target) {
        for (int i = 0; i < count; i += Long.SIZE) {
            int bits = Math.min(Long.SIZE, count - i);
            put(target + (i >>> 3), word(source, from + i, bits), bits);
        }
    }

    /** Writes the bytes that hold the lowest {@code count} bits of a word. */
    static void put(long address, long word, int count) {
        if (count == Long.SIZE) {
            OffHeap.putLong(address, word);
            return;
        }
        for (int i = 0; i < bytes(count); i++) {
            OffHeap.putByte(address + i, (byte) (word >>> (Byte.SIZE * i)));
        }
    }
}
