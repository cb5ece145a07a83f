package io.spillway.expression;

import io.spillway.batch.OffHeap;

/** Writes a bitmap in Arrow's layout from its first bit on, a word at a time. */
final class BitWriter {

    private long at;
    private long word;

    /** How many bits of the word are there. */
    private int used;

    /**
     * @param address of as many bytes as the bits will take
     */
    BitWriter(long address) {
        at = address;
    }

    /** Appends bits {@code [start, start + count)} of a bitmap. */
    void copy(long bitmap, int start, int count) {
        int bit = start;
        int left = count;
        while (left > 0) {
            int n = Math.min(left, Byte.SIZE - (bit & 7));
            if (n == Byte.SIZE && left >= Long.SIZE) {
                n = Long.SIZE;
                append(OffHeap.getLong(bitmap + (bit >>> 3)), n);
            } else {
                append(OffHeap.getUnsignedByte(bitmap + (bit >>> 3)) >>> (bit & 7), n);
            }
            bit += n;
            left -= n;
        }
    }

    /** Appends the same bit many times. */
    void fill(boolean value, int count) {
        for (int left = count; left > 0; left -= Long.SIZE) {
            append(value ? -1L : 0, Math.min(Long.SIZE, left));
        }
    }

    /** Writes what is left; once, at the end. */
    void flush() {
        for (int i = 0; i < used; i += Byte.SIZE) {
            OffHeap.putByte(at++, (byte) (word >>> i));
        }
        used = 0;
    }

    /**
     * Appends the lowest bits of a word.
     *
     * @param count from 1 to 64
     */
    private void append(long bits, int count) {
        long wanted = bits & -1L >>> (Long.SIZE - count);
        word |= wanted << used;
        int total = used + count;
        if (total < Long.SIZE) {
            used = total;
            return;
        }
        OffHeap.putLong(at, word);
        at += Long.BYTES;
        int written = Long.SIZE - used;
        word = written == Long.SIZE ? 0 : wanted >>> written;
        used = total - Long.SIZE;
    }
}
