package io.spillway.expression;

import io.spillway.batch.ColumnType;

/** The values of an integer type, as 64-bit integers; those of uint64 are held by their bits. */
final class IntegerRange {

    private final boolean unsigned64;
    private final long min;
    private final long max;

    IntegerRange(ColumnType.Int type) {
        unsigned64 = type.bits() == 64 && !type.signed();
        if (type.bits() == 64) {
            min = Long.MIN_VALUE;
            max = Long.MAX_VALUE;
        } else if (type.signed()) {
            min = -1L << (type.bits() - 1);
            max = ~min;
        } else {
            min = 0;
            max = (1L << type.bits()) - 1;
        }
    }

    boolean isUnsigned64() {
        return unsigned64;
    }

    /** Least value; for uint64 of its bits. */
    long min() {
        return min;
    }

    /** Greatest value; for uint64 of its bits. */
    long max() {
        return max;
    }

    boolean contains(long value) {
        return min <= value && value <= max;
    }

    /** Negative if any of the first values is outside. */
    long outside(long[] values, int count) {
        if (max == Long.MAX_VALUE) {
            return 0;
        }
        long bad = 0;
        for (int i = 0; i < count; i++) {
            long value = values[i];
            bad |= (value < min ? -1L : 0) | (value > max ? -1L : 0);
        }
        return bad;
    }

    String text(long value) {
        return unsigned64 ? Long.toUnsignedString(value) : Long.toString(value);
    }
}
