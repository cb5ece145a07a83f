package io.spillway.operator.aggregate;

import io.spillway.batch.OffHeap;

/** How many rows there are. State: count. */
record CountKernel() implements Kernel {

    @Override
    public int bytes() {
        return Long.BYTES;
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public void add(long[] states, int offset, long[] low, long[] high, int count) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            OffHeap.putLong(at, OffHeap.getLong(at) + 1);
        }
    }

    @Override
    public void merge(long from, long to) {
        OffHeap.putLong(to, OffHeap.getLong(to) + OffHeap.getLong(from));
    }

    @Override
    public void results(long[] states, int offset, int count, ResultColumn to) {
        for (int i = 0; i < count; i++) {
            to.put(i, OffHeap.getLong(states[i] + offset));
        }
    }
}
