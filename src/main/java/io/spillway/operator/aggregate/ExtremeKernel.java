package io.spillway.operator.aggregate;

import io.spillway.batch.OffHeap;

/**
 * The least or greatest of values that are single words; of equal ones the first. State: whether
 * there is any, value.
 *
 * @param order of the words
 */
record ExtremeKernel(Order order, boolean greatest) implements Kernel {

    /** What words mean. */
    enum Order {
        SIGNED,
        UNSIGNED,
        /** NaN is the greatest, and −0.0 is 0.0. */
        FLOAT
    }

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
        switch (order) {
            case SIGNED, UNSIGNED -> add(states, offset, low, count, flip());
            case FLOAT -> addFloats(states, offset, low, count, flip());
        }
    }

    private long flip() {
        return (greatest ? -1 : 0) ^ (order == Order.UNSIGNED ? Long.MIN_VALUE : 0);
    }

    /**
     * @param flip what turns the words into such of which the least is wanted
     */
    private static void add(long[] states, int offset, long[] values, int count, long flip) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            long value = values[i];
            if (OffHeap.getLong(at) == 0 || (value ^ flip) < (OffHeap.getLong(at + 8) ^ flip)) {
                OffHeap.putLong(at, 1);
                OffHeap.putLong(at + 8, value);
            }
        }
    }

    private static void addFloats(long[] states, int offset, long[] values, int count, long flip) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            long value = values[i];
            if (OffHeap.getLong(at) == 0
                    || (ordered(value) ^ flip) < (ordered(OffHeap.getLong(at + 8)) ^ flip)) {
                OffHeap.putLong(at, 1);
                OffHeap.putLong(at + 8, value);
            }
        }
    }

    /** IEEE 754 numbers order as sign and magnitude. */
    private static long ordered(long raw) {
        long bits = Double.doubleToLongBits(Double.longBitsToDouble(raw) + 0.0);
        return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }

    @Override
    public void merge(long from, long to) {
        if (OffHeap.getLong(from) == 0) {
            return;
        }
        long value = OffHeap.getLong(from + 8);
        long held = OffHeap.getLong(to + 8);
        boolean better =
                order == Order.FLOAT
                        ? (ordered(value) ^ flip()) < (ordered(held) ^ flip())
                        : (value ^ flip()) < (held ^ flip());
        if (better || OffHeap.getLong(to) == 0) {
            OffHeap.putLong(to, 1);
            OffHeap.putLong(to + 8, value);
        }
    }

    @Override
    public void results(long[] states, int offset, int count, ResultColumn to) {
        for (int i = 0; i < count; i++) {
            long at = states[i] + offset;
            if (OffHeap.getLong(at) != 0) {
                to.put(i, OffHeap.getLong(at + 8));
            }
        }
    }
}
