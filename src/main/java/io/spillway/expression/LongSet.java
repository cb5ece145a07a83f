package io.spillway.expression;

/** A fixed set of 64-bit integers: a hash table with open addressing, at most half full. */
final class LongSet {

    private final long[] table;
    private final int mask;
    private boolean hasZero;

    LongSet(long[] values) {
        int size = Math.max(4, Integer.highestOneBit(Math.max(1, values.length)) << 2);
        table = new long[size];
        mask = size - 1;
        for (long value : values) {
            add(value);
        }
    }

    private void add(long value) {
        if (value == 0) {
            hasZero = true;
            return;
        }
        int at = hash(value) & mask;
        while (table[at] != 0 && table[at] != value) {
            at = (at + 1) & mask;
        }
        table[at] = value;
    }

    boolean contains(long value) {
        if (value == 0) {
            return hasZero;
        }
        int at = hash(value) & mask;
        while (table[at] != 0) {
            if (table[at] == value) {
                return true;
            }
            at = (at + 1) & mask;
        }
        return false;
    }

    /** The finalizer of MurmurHash3 (A. Appleby, public domain), folded. */
    static int hash(long value) {
        long h = value;
        h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (int) (h ^ (h >>> 33));
    }
}
