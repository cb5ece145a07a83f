package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Conversions from decimals to integers and truth values, and the single steps of those to
 * decimals. All round half away from zero.
 */
final class DecimalConversions {

    private static final double MAX_EXACT = 0x1p52;

    private DecimalConversions() {}

    static Value toBool(Value argument, boolean safe) {
        return new BlockCast(
                argument,
                new ColumnType.Bool(),
                safe,
                true,
                (values, from, count, scratch) -> {
                    for (int i = 0; i < count; i++) {
                        long address = Vectors.data(values) + 16L * (from + i);
                        long any = OffHeap.getLong(address) | OffHeap.getLong(address + 8);
                        scratch.result[i] = any != 0 ? 1 : 0;
                    }
                    return 0;
                });
    }

    static Value toInteger(Value argument, int scale, ColumnType.Int to, boolean safe) {
        Int128 x = new Int128();
        IntegerRange range = new IntegerRange(to);
        return new BlockCast(
                argument,
                to,
                safe,
                false,
                (values, from, count, scratch) -> {
                    long bad = 0;
                    for (int i = 0; i < count; i++) {
                        x.load(Vectors.data(values) + 16L * (from + i));
                        rescale(x, -scale);
                        boolean fits =
                                range.isUnsigned64()
                                        ? x.high() == 0
                                        : x.isLong() && range.contains(x.low());
                        bad |= fits ? 0 : -1;
                        scratch.result[i] = x.low();
                    }
                    return bad;
                });
    }

    /** Moves the decimal point; false if the result does not fit 128 bits. */
    static boolean rescale(Int128 value, int digits) {
        if (digits >= 0) {
            return value.scaleUp(digits);
        }
        long low = value.low();
        long high = value.high();
        if (!value.rescale(digits)) {
            value.set(low, high);
            BigInteger rounded =
                    new BigDecimal(value.toBigInteger())
                            .movePointRight(digits)
                            .setScale(0, RoundingMode.HALF_UP)
                            .unscaledValue();
            value.set(rounded);
        }
        return true;
    }

    /**
     * Becomes the exact value of a float, rounded; false if it is not a finite number or does not
     * fit 128 bits. Without objects for results below 2^52: scaled in floating point, with what
     * that rounds away kept, so that ties are told from near ties.
     */
    static boolean set(Int128 result, double value, int scale) {
        if (!Double.isFinite(value)) {
            return false;
        }
        double magnitude = Math.abs(value);
        if (scale <= 22) {
            double power = FloatConversions.power(scale);
            double product = magnitude * power;
            if (product < MAX_EXACT) {
                double error = Math.fma(magnitude, power, -product);
                double down = Math.floor(product);
                double rest = product - down;
                boolean up = rest > 0.5 || (rest == 0.5 && error >= 0);
                long rounded = (long) down + (up ? 1 : 0);
                long signed = value < 0 ? -rounded : rounded;
                result.set(signed, signed >> 63);
                return true;
            }
        }
        BigInteger unscaled =
                new BigDecimal(value).setScale(scale, RoundingMode.HALF_UP).unscaledValue();
        if (unscaled.bitLength() > 127) {
            return false;
        }
        result.set(unscaled);
        return true;
    }
}
