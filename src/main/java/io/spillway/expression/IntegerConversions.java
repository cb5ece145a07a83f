package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;

/**
 * Conversions between truth values, integers, dates, times and timestamps. Coarser units take the
 * tick that the value lies in: they round down, before the epoch too, so that order is kept.
 */
final class IntegerConversions {

    /** What is done with a block of values in place; negative if some value is out of range. */
    private interface Step {
        long apply(long[] values, int count);
    }

    private IntegerConversions() {}

    static Value fromBool(Value argument, ColumnType.Int to, boolean safe) {
        return cast(argument, to, safe, true, (_, _) -> 0);
    }

    static Value toBool(Value argument, boolean safe) {
        return cast(
                argument,
                new ColumnType.Bool(),
                safe,
                true,
                (x, count) -> {
                    for (int i = 0; i < count; i++) {
                        x[i] = x[i] != 0 ? 1 : 0;
                    }
                    return 0;
                });
    }

    static Value integers(Value argument, ColumnType.Int from, ColumnType.Int to, boolean safe) {
        IntegerRange source = new IntegerRange(from);
        IntegerRange target = new IntegerRange(to);
        // As signed integers: an unsigned one of 64 bits that is negative there is too large.
        boolean anyUnsigned = source.isUnsigned64() || target.isUnsigned64();
        long min = anyUnsigned ? Math.max(target.min(), 0) : target.min();
        long max = target.max();
        boolean total = !source.isUnsigned64() && min <= source.min() && source.max() <= max;
        return cast(argument, to, safe, total, (x, count) -> outside(x, count, min, max));
    }

    static Value dateToTimestamp(Value argument, ColumnType.Timestamp to, boolean safe) {
        return multiplied(argument, to, safe, Civil.SECONDS_PER_DAY * to.unit().perSecond());
    }

    static Value timestampToDate(
            Value argument, ColumnType.Timestamp from, ColumnType.Date to, boolean safe) {
        long divisor = Civil.SECONDS_PER_DAY * from.unit().perSecond();
        return cast(
                argument,
                to,
                safe,
                false,
                (x, count) -> {
                    divide(x, count, divisor);
                    return outside(x, count, Integer.MIN_VALUE, Integer.MAX_VALUE);
                });
    }

    static Value timestampToTime(
            Value argument, ColumnType.Timestamp from, ColumnType.Time to, boolean safe) {
        long day = Civil.SECONDS_PER_DAY * from.unit().perSecond();
        long up = Math.max(1, to.unit().perSecond() / from.unit().perSecond());
        long down = Math.max(1, from.unit().perSecond() / to.unit().perSecond());
        return cast(
                argument,
                to,
                safe,
                true,
                (x, count) -> {
                    for (int i = 0; i < count; i++) {
                        x[i] = Math.floorMod(x[i], day) * up / down;
                    }
                    return 0;
                });
    }

    /** Between units of timestamps, or of times. */
    static Value units(
            Value argument,
            ColumnType.TimeUnit from,
            ColumnType.TimeUnit to,
            ColumnType type,
            boolean safe) {
        if (to.perSecond() > from.perSecond()) {
            return multiplied(argument, type, safe, to.perSecond() / from.perSecond());
        }
        long divisor = from.perSecond() / to.perSecond();
        return cast(
                argument,
                type,
                safe,
                true,
                (x, count) -> {
                    divide(x, count, divisor);
                    return 0;
                });
    }

    private static Value multiplied(Value argument, ColumnType to, boolean safe, long factor) {
        return cast(
                argument,
                to,
                safe,
                false,
                (x, count) -> {
                    long bad = 0;
                    for (int i = 0; i < count; i++) {
                        long product = x[i] * factor;
                        long lost = Math.multiplyHigh(x[i], factor) ^ (product >> 63);
                        bad |= lost | -lost;
                        x[i] = product;
                    }
                    return bad;
                });
    }

    private static void divide(long[] x, int count, long divisor) {
        for (int i = 0; i < count; i++) {
            x[i] = Math.floorDiv(x[i], divisor);
        }
    }

    private static long outside(long[] x, int count, long min, long max) {
        long bad = 0;
        for (int i = 0; i < count; i++) {
            bad |= (x[i] < min ? -1L : 0) | (x[i] > max ? -1L : 0);
        }
        return bad;
    }

    private static Value cast(
            Value argument, ColumnType to, boolean safe, boolean total, Step step) {
        ColumnType from = argument.type();
        return new BlockCast(
                argument,
                to,
                safe,
                total,
                (FieldVector values, int start, int count, Scratch scratch) -> {
                    Longs.load(values, from, start, count, scratch.result);
                    return step.apply(scratch.result, count);
                });
    }
}
