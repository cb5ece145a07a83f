package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;

/**
 * Sort keys: values of every fixed-width type but decimals and bytes as signed 64-bit integers that
 * compare as the values do. NaN has one key, above all others, and −0.0 has the key of 0.0.
 */
final class Keys {

    private Keys() {}

    static boolean handles(ColumnType type) {
        return type instanceof ColumnType.FloatingPoint || Longs.handles(type);
    }

    static void load(
            FieldVector vector, ColumnType type, int from, int count, Scratch s, long[] to) {
        if (type instanceof ColumnType.FloatingPoint(int bits)) {
            Doubles.load(vector, bits, from, count, s.leftDoubles);
            for (int i = 0; i < count; i++) {
                to[i] = of(s.leftDoubles[i]);
            }
            return;
        }
        Longs.load(vector, type, from, count, to);
        if (isUnsigned64(type)) {
            for (int i = 0; i < count; i++) {
                to[i] ^= Long.MIN_VALUE;
            }
        }
    }

    /** The key of a constant. */
    static long of(ColumnType type, Constant.Fixed constant) {
        if (type instanceof ColumnType.FloatingPoint) {
            return of(Double.longBitsToDouble(constant.low()));
        }
        return isUnsigned64(type) ? constant.low() ^ Long.MIN_VALUE : constant.low();
    }

    /** IEEE 754 numbers order as sign and magnitude; this makes them two's complement. */
    private static long of(double value) {
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    private static boolean isUnsigned64(ColumnType type) {
        return type instanceof ColumnType.Int(int bits, boolean signed) && bits == 64 && !signed;
    }
}
