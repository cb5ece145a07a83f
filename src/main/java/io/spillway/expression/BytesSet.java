package io.spillway.expression;

import io.spillway.batch.OffHeap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fixed set of byte strings that is asked with bytes in memory. */
final class BytesSet {

    private final byte[] @Nullable [] table;
    private final int mask;

    BytesSet(List<byte[]> values) {
        int size = Math.max(4, Integer.highestOneBit(Math.max(1, values.size())) << 2);
        table = new byte[size] @Nullable [];
        mask = size - 1;
        for (byte[] value : values) {
            int at = hash(value) & mask;
            while (table[at] != null) {
                at = (at + 1) & mask;
            }
            table[at] = value;
        }
    }

    boolean contains(long address, int length) {
        int at = hash(address, length) & mask;
        for (byte[] entry = table[at]; entry != null; entry = table[at]) {
            if (entry.length == length && ByteRuns.equal(address, entry)) {
                return true;
            }
            at = (at + 1) & mask;
        }
        return false;
    }

    private static int hash(byte[] bytes) {
        long h = bytes.length;
        for (byte b : bytes) {
            h = h * 31 + b;
        }
        return LongSet.hash(h);
    }

    private static int hash(long address, int length) {
        long h = length;
        for (int i = 0; i < length; i++) {
            h = h * 31 + OffHeap.getByte(address + i);
        }
        return LongSet.hash(h);
    }
}
