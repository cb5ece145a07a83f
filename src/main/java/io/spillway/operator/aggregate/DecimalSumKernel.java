package io.spillway.operator.aggregate;

import io.spillway.batch.OffHeap;

/**
 * The sum of decimals, exact: in 192 bits, so that only a total can be too large, never what it is
 * on the way. State: count, sum (low, middle, high).
 */
record DecimalSumKernel(SumResult result) implements Kernel {

    @Override
    public int bytes() {
        return 4 * Long.BYTES;
    }

    @Override
    public Reads reads() {
        return Reads.WORDS;
    }

    @Override
    public void add(long[] states, int offset, long[] low, long[] high, int count) {
        for (int i = 0; i < count; i++) {
            add(states[i] + offset, 1, low[i], high[i], high[i] >> 63);
        }
    }

    private static void add(long at, long rows, long low, long middle, long high) {
        long first = OffHeap.getLong(at + 8);
        long second = OffHeap.getLong(at + 16);
        long sum = first + low;
        long carry = Long.compareUnsigned(sum, first) < 0 ? 1 : 0;
        long partial = second + middle;
        long upper = partial + carry;
        long up =
                (Long.compareUnsigned(partial, second) < 0 ? 1L : 0)
                        + (Long.compareUnsigned(upper, partial) < 0 ? 1 : 0);
        OffHeap.putLong(at, OffHeap.getLong(at) + rows);
        OffHeap.putLong(at + 8, sum);
        OffHeap.putLong(at + 16, upper);
        OffHeap.putLong(at + 24, OffHeap.getLong(at + 24) + high + up);
    }

    @Override
    public void merge(long from, long to) {
        add(
                to,
                OffHeap.getLong(from),
                OffHeap.getLong(from + 8),
                OffHeap.getLong(from + 16),
                OffHeap.getLong(from + 24));
    }

    @Override
    public void results(long[] states, int offset, int count, ResultColumn to) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            long rows = OffHeap.getLong(at);
            if (rows > 0) {
                result.put(
                        i,
                        rows,
                        OffHeap.getLong(at + 8),
                        OffHeap.getLong(at + 16),
                        OffHeap.getLong(at + 24),
                        to);
            }
        }
    }
}
