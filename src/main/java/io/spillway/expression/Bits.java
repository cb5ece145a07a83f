package io.spillway.expression;

import io.spillway.batch.OffHeap;

/**
 * Bitmaps in Arrow's layout (bit {@code i} is bit {@code i % 8} of byte {@code i / 8}), a word of
 * 64 rows at a time. Never touches a byte beyond the last row's, and a word's bits beyond the last
 * row read as zero.
 */
final class Bits {

    private Bits() {}

    static int words(int rows) {
        return (rows + 63) >>> 6;
    }

    static int bytes(int rows) {
        return (rows + 7) >>> 3;
    }

    /** The bits of a word that belong to rows. */
    static long mask(int word, int rows) {
        int left = rows - (word << 6);
        return left >= 64 ? -1L : (1L << left) - 1;
    }

    static long load(long address, int word, int rows) {
        int left = rows - (word << 6);
        long at = address + ((long) word << 3);
        if (left >= 64) {
            return OffHeap.getLong(at);
        }
        long bits = 0;
        for (int i = 0; i < bytes(left); i++) {
            bits |= (OffHeap.getByte(at + i) & 0xffL) << (i << 3);
        }
        return bits & mask(word, rows);
    }

    static void store(long address, int word, int rows, long bits) {
        int left = rows - (word << 6);
        long at = address + ((long) word << 3);
        if (left >= 64) {
            OffHeap.putLong(at, bits);
            return;
        }
        long tail = bits & mask(word, rows);
        for (int i = 0; i < bytes(left); i++) {
            OffHeap.putByte(at + i, (byte) (tail >>> (i << 3)));
        }
    }

    static boolean get(long address, int row) {
        return (OffHeap.getByte(address + (row >>> 3)) >>> (row & 7) & 1) != 0;
    }

    static void clear(long address, int row) {
        long at = address + (row >>> 3);
        OffHeap.putByte(at, (byte) (OffHeap.getByte(at) & ~(1 << (row & 7))));
    }

    static void set(long address, int row) {
        long at = address + (row >>> 3);
        OffHeap.putByte(at, (byte) (OffHeap.getByte(at) | (1 << (row & 7))));
    }

    static void fill(long address, int rows, boolean value) {
        for (int w = 0; w < words(rows); w++) {
            store(address, w, rows, value ? -1L : 0);
        }
    }

    static void copy(long from, long to, int rows) {
        for (int w = 0; w < words(rows); w++) {
            store(to, w, rows, load(from, w, rows));
        }
    }

    /** Clears in {@code to} what is clear in {@code from}. */
    static void and(long from, long to, int rows) {
        for (int w = 0; w < words(rows); w++) {
            store(to, w, rows, load(to, w, rows) & load(from, w, rows));
        }
    }
}
