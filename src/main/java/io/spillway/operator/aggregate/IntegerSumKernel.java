package io.spillway.operator.aggregate;

import io.spillway.batch.OffHeap;

/**
 * The sum of 64-bit integers, exact: 2^32 of them always fit 128 bits. State: count, sum (low,
 * high).
 *
 * @param signed of the values
 */
record IntegerSumKernel(boolean signed, SumResult result) implements Kernel {

    @Override
    public int bytes() {
        return 3 * Long.BYTES;
    }

    @Override
    public Reads reads() {
        return Reads.WORDS;
    }

    @Override
    public void add(long[] states, int offset, long[] low, long[] high, int count) {
        long signs = signed ? -1 : 0;
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            long value = low[i];
            long old = OffHeap.getLong(at + 8);
            long sum = old + value;
            long carry = ((old & value) | ((old | value) & ~sum)) >>> 63;
            OffHeap.putLong(at, OffHeap.getLong(at) + 1);
            OffHeap.putLong(at + 8, sum);
            OffHeap.putLong(at + 16, OffHeap.getLong(at + 16) + (value >> 63 & signs) + carry);
        }
    }

    @Override
    public void merge(long from, long to) {
        long old = OffHeap.getLong(to + 8);
        long sum = old + OffHeap.getLong(from + 8);
        long carry = Long.compareUnsigned(sum, old) < 0 ? 1 : 0;
        OffHeap.putLong(to, OffHeap.getLong(to) + OffHeap.getLong(from));
        OffHeap.putLong(to + 8, sum);
        OffHeap.putLong(to + 16, OffHeap.getLong(to + 16) + OffHeap.getLong(from + 16) + carry);
    }

    @Override
    public void results(long[] states, int offset, int count, ResultColumn to) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            long rows = OffHeap.getLong(at);
            if (rows > 0) {
                long high = OffHeap.getLong(at + 16);
                result.put(i, rows, OffHeap.getLong(at + 8), high, high >> 63, to);
            }
        }
    }
}
