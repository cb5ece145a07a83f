package io.spillway.expression;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/**
 * Blocks of floats of 16, 32 or 64 bits as doubles. Sums, differences, products, quotients and
 * square roots computed in double and rounded once more to a narrower format are the correctly
 * rounded ones, since double has more than twice the digits (S. Figueroa, "When is double rounding
 * innocuous?", 1995).
 */
final class Doubles {

    private Doubles() {}

    static void load(FieldVector vector, int bits, int from, int count, double[] to) {
        long at = Vectors.data(vector) + (long) (bits >>> 3) * from;
        switch (bits) {
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    to[i] = Float.float16ToFloat(OffHeap.getShort(at + 2L * i));
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    to[i] = Float.intBitsToFloat(OffHeap.getInt(at + 4L * i));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[i] = Double.longBitsToDouble(OffHeap.getLong(at + 8L * i));
                }
            }
        }
    }

    static void store(int bits, long data, int from, int count, double[] values) {
        long at = data + (long) (bits >>> 3) * from;
        switch (bits) {
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    OffHeap.putShort(at + 2L * i, Float.floatToFloat16((float) values[i]));
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    OffHeap.putInt(at + 4L * i, Float.floatToRawIntBits((float) values[i]));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    OffHeap.putLong(at + 8L * i, Double.doubleToRawLongBits(values[i]));
                }
            }
        }
    }
}
