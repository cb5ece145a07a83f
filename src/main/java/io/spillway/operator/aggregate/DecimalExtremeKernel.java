package io.spillway.operator.aggregate;

import io.spillway.batch.OffHeap;

/** The least or greatest of decimals. State: whether there is any, value (low, high). */
record DecimalExtremeKernel(boolean greatest) implements Kernel {

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
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            if (OffHeap.getLong(at) == 0 || isBetter(low[i], high[i], at + 8)) {
                OffHeap.putLong(at, 1);
                OffHeap.putLong(at + 8, low[i]);
                OffHeap.putLong(at + 16, high[i]);
            }
        }
    }

    private boolean isBetter(long low, long high, long than) {
        long upper = OffHeap.getLong(than + 8);
        int order =
                high != upper
                        ? Long.compare(high, upper)
                        : Long.compareUnsigned(low, OffHeap.getLong(than));
        return greatest ? order > 0 : order < 0;
    }

    @Override
    public void merge(long from, long to) {
        if (OffHeap.getLong(from) == 0) {
            return;
        }
        long low = OffHeap.getLong(from + 8);
        long high = OffHeap.getLong(from + 16);
        if (OffHeap.getLong(to) == 0 || isBetter(low, high, to + 8)) {
            OffHeap.copy(from, to, bytes());
        }
    }

    @Override
    public void results(long[] states, int offset, int count, ResultColumn to) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            if (OffHeap.getLong(at) != 0) {
                to.put(i, OffHeap.getLong(at + 8), OffHeap.getLong(at + 16));
            }
        }
    }
}
