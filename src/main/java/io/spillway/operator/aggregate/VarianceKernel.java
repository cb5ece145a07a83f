package io.spillway.operator.aggregate;

import io.spillway.batch.OffHeap;

/**
 * Variances by the method of Welford (Technometrics 4, 1962), which does not lose digits to large
 * means; two are merged as Chan, Golub and LeVeque do (1979). State: count, mean, sum of squared
 * differences from the mean.
 *
 * @param sample whether it is divided by one less than the count
 * @param root whether the result is the deviation
 */
record VarianceKernel(boolean sample, boolean root) implements Kernel {

    @Override
    public int bytes() {
        return 3 * Long.BYTES;
    }

    @Override
    public Reads reads() {
        return Reads.DOUBLES;
    }

    @Override
    public void add(long[] states, int offset, long[] low, long[] high, int count) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            double value = Double.longBitsToDouble(low[i]);
            long rows = OffHeap.getLong(at) + 1;
            double mean = Double.longBitsToDouble(OffHeap.getLong(at + 8));
            double squares = Double.longBitsToDouble(OffHeap.getLong(at + 16));
            double difference = value - mean;
            mean += difference / rows;
            squares += difference * (value - mean);
            OffHeap.putLong(at, rows);
            OffHeap.putLong(at + 8, Double.doubleToRawLongBits(mean));
            OffHeap.putLong(at + 16, Double.doubleToRawLongBits(squares));
        }
    }

    @Override
    public void merge(long from, long to) {
        long more = OffHeap.getLong(from);
        long rows = OffHeap.getLong(to);
        if (more == 0 || rows == 0) {
            if (rows == 0) {
                OffHeap.copy(from, to, bytes());
            }
            return;
        }
        double mean = Double.longBitsToDouble(OffHeap.getLong(to + 8));
        double difference = Double.longBitsToDouble(OffHeap.getLong(from + 8)) - mean;
        double all = rows + more;
        double squares =
                Double.longBitsToDouble(OffHeap.getLong(to + 16))
                        + Double.longBitsToDouble(OffHeap.getLong(from + 16))
                        + difference * difference * (rows * (more / all));
        OffHeap.putLong(to, rows + more);
        OffHeap.putLong(to + 8, Double.doubleToRawLongBits(mean + difference * (more / all)));
        OffHeap.putLong(to + 16, Double.doubleToRawLongBits(squares));
    }

    @Override
    public void results(long[] states, int offset, int count, ResultColumn to) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            long rows = OffHeap.getLong(at) - (sample ? 1 : 0);
            if (rows > 0) {
                double squares = Double.longBitsToDouble(OffHeap.getLong(at + 16));
                double variance = squares / rows;
                to.putDouble(i, root ? Math.sqrt(variance) : variance);
            }
        }
    }
}
