package io.spillway.operator.aggregate;

import io.spillway.batch.OffHeap;

/**
 * The sum of floats, added in the rows' order. State: count, sum.
 *
 * @param mean whether the sum is divided by the count
 */
record FloatSumKernel(boolean mean) implements Kernel {

    @Override
    public int bytes() {
        return 2 * Long.BYTES;
    }

    @Override
    public Reads reads() {
        return Reads.WORDS;
    }

    @Override
    public void add(long[] states, int offset, long[] low, long[] high, int count) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            double sum =
                    Double.longBitsToDouble(OffHeap.getLong(at + 8))
                            + Double.longBitsToDouble(low[i]);
            OffHeap.putLong(at, OffHeap.getLong(at) + 1);
            OffHeap.putLong(at + 8, Double.doubleToRawLongBits(sum));
        }
    }

    @Override
    public void merge(long from, long to) {
        double sum =
                Double.longBitsToDouble(OffHeap.getLong(to + 8))
                        + Double.longBitsToDouble(OffHeap.getLong(from + 8));
        OffHeap.putLong(to, OffHeap.getLong(to) + OffHeap.getLong(from));
        OffHeap.putLong(to + 8, Double.doubleToRawLongBits(sum));
    }

    @Override
    public void results(long[] states, int offset, int count, ResultColumn to) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            long rows = OffHeap.getLong(at);
            if (rows > 0) {
                double sum = Double.longBitsToDouble(OffHeap.getLong(at + 8));
                to.putDouble(i, mean ? sum / rows : sum);
            }
        }
    }
}
