package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.math.BigDecimal;
import org.apache.arrow.vector.FieldVector;

/**
 * Conversions from and to floats. To integers they round half to even, as DuckDB and PostgreSQL do;
 * NaN, infinities and what is out of range cannot be converted. A finite number that becomes
 * infinite in a narrower float cannot be either.
 */
final class FloatConversions {

    private static final double TWO_63 = 0x1p63;

    /** Powers of ten up to here are exact as doubles. */
    private static final int MAX_EXACT_POWER = 22;

    /** Integers up to here are exact as doubles. */
    private static final long MAX_EXACT_INTEGER = 1L << 53;

    private static final double[] POWERS = new double[MAX_EXACT_POWER + 1];

    static {
        double power = 1;
        for (int i = 0; i <= MAX_EXACT_POWER; i++) {
            POWERS[i] = power;
            power *= 10;
        }
    }

    private FloatConversions() {}

    /** 10 to the power, at most 22; exact. */
    static double power(int exponent) {
        return POWERS[exponent];
    }

    static Value toBool(Value argument, int bits, boolean safe) {
        return new BlockCast(
                argument,
                new ColumnType.Bool(),
                safe,
                true,
                (values, from, count, scratch) -> {
                    Doubles.load(values, bits, from, count, scratch.leftDoubles);
                    for (int i = 0; i < count; i++) {
                        scratch.result[i] = scratch.leftDoubles[i] != 0 ? 1 : 0;
                    }
                    return 0;
                });
    }

    static Value toInteger(Value argument, int bits, ColumnType.Int to, boolean safe) {
        double min = to.signed() ? -Math.scalb(1.0, to.bits() - 1) : 0;
        double end = Math.scalb(1.0, to.signed() ? to.bits() - 1 : to.bits());
        return new BlockCast(
                argument,
                to,
                safe,
                false,
                (values, from, count, scratch) -> {
                    Doubles.load(values, bits, from, count, scratch.leftDoubles);
                    long bad = 0;
                    for (int i = 0; i < count; i++) {
                        double rounded = Math.rint(scratch.leftDoubles[i]);
                        bad |= rounded >= min && rounded < end ? 0 : -1;
                        scratch.result[i] =
                                rounded < TWO_63
                                        ? (long) rounded
                                        : (long) (rounded - TWO_63) ^ Long.MIN_VALUE;
                    }
                    return bad;
                });
    }

    static Value fromInteger(Value argument, ColumnType.FloatingPoint to, boolean safe) {
        ColumnType from = argument.type();
        boolean unsigned =
                from instanceof ColumnType.Int type && new IntegerRange(type).isUnsigned64();
        boolean single = to.bits() < 64;
        return new BlockCast(
                argument,
                to,
                safe,
                to.bits() > 16,
                (values, start, count, scratch) -> {
                    Longs.load(values, from, start, count, scratch.left);
                    for (int i = 0; i < count; i++) {
                        long x = scratch.left[i];
                        // Halved with the lost bit kept, an unsigned integer rounds as itself.
                        boolean huge = unsigned && x < 0;
                        long signed = huge ? (x >>> 1) | (x & 1) : x;
                        double value = single ? (float) signed : (double) signed;
                        scratch.resultDoubles[i] = huge ? 2 * value : value;
                    }
                    return overflow(to, scratch.resultDoubles, count);
                });
    }

    static Value floats(Value argument, int bits, ColumnType.FloatingPoint to, boolean safe) {
        return new BlockCast(
                argument,
                to,
                safe,
                to.bits() > bits,
                (values, from, count, scratch) -> {
                    Doubles.load(values, bits, from, count, scratch.resultDoubles);
                    return overflow(to, scratch.resultDoubles, count);
                });
    }

    static Value fromDecimal(Value argument, int scale, ColumnType.FloatingPoint to, boolean safe) {
        Int128 unscaled = new Int128();
        return new BlockCast(
                argument,
                to,
                safe,
                to.bits() > 16,
                (FieldVector values, int from, int count, Scratch scratch) -> {
                    long data = Vectors.data(values);
                    for (int i = 0; i < count; i++) {
                        unscaled.load(data + 16L * (from + i));
                        scratch.resultDoubles[i] = toDouble(unscaled, scale);
                    }
                    return overflow(to, scratch.resultDoubles, count);
                });
    }

    /** The nearest double; without objects where numerator and denominator are exact as doubles. */
    private static double toDouble(Int128 unscaled, int scale) {
        if (unscaled.isLong()
                && Math.abs(unscaled.low()) <= MAX_EXACT_INTEGER
                && unscaled.low() != Long.MIN_VALUE
                && scale <= MAX_EXACT_POWER) {
            return unscaled.low() / POWERS[scale];
        }
        return new BigDecimal(unscaled.toBigInteger(), scale).doubleValue();
    }

    /** Negative if a finite number becomes infinite in the target's format. */
    private static long overflow(ColumnType.FloatingPoint to, double[] values, int count) {
        if (to.bits() == 64) {
            return 0;
        }
        long bad = 0;
        for (int i = 0; i < count; i++) {
            float single = (float) values[i];
            float narrow =
                    to.bits() == 16 ? Float.float16ToFloat(Float.floatToFloat16(single)) : single;
            bad |= Float.isInfinite(narrow) && !Double.isInfinite(values[i]) ? -1 : 0;
        }
        return bad;
    }
}
