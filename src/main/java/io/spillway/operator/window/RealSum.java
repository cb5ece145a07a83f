package io.spillway.operator.window;

import java.util.Arrays;

/**
 * A sum of float64 values without any rounding, from which values may be taken again: a fixed-point
 * number of as many bits as the sums of all of them take (Kulisch, "Computer Arithmetic and
 * Validity", 2008: the long accumulator). Only what is read is rounded, to the nearest, ties to
 * even. So what a frame's sum is does not depend on the frames before it.
 */
final class RealSum {

    /** The weight of the lowest bit is 2^-1074; 2^1024 and room for 2^62 summands above. */
    private static final int WORDS = 34;

    private static final int MANTISSA_BITS = 52;
    private static final long MANTISSA = (1L << MANTISSA_BITS) - 1;
    private static final int EXPONENTS = 0x7ff;
    private static final int LEAST_EXPONENT = -1074;

    private final long[] words = new long[WORDS];
    private long infinite;
    private long negativeInfinite;
    private long nan;

    /** Values that are negative zeros, and all values: a sum of negative zeros alone is one. */
    private long negativeZeros;

    private long values;

    void reset() {
        Arrays.fill(words, 0);
        infinite = 0;
        negativeInfinite = 0;
        nan = 0;
        negativeZeros = 0;
        values = 0;
    }

    void add(double value) {
        count(value, 1);
    }

    void subtract(double value) {
        count(value, -1);
    }

    private void count(double value, int times) {
        values += times;
        if (Double.isNaN(value)) {
            nan += times;
        } else if (value == Double.POSITIVE_INFINITY) {
            infinite += times;
        } else if (value == Double.NEGATIVE_INFINITY) {
            negativeInfinite += times;
        } else if (value == 0) {
            negativeZeros += Double.doubleToRawLongBits(value) < 0 ? times : 0;
        } else {
            addFinite(value, value < 0 == times > 0);
        }
    }

    /**
     * @param down whether the magnitude is taken away
     */
    private void addFinite(double value, boolean down) {
        long bits = Double.doubleToRawLongBits(value);
        int exponent = (int) (bits >>> MANTISSA_BITS) & EXPONENTS;
        long mantissa = bits & MANTISSA;
        int shift = 0;
        if (exponent > 0) {
            mantissa |= 1L << MANTISSA_BITS;
            shift = exponent - 1;
        }
        int word = shift >>> 6;
        int bit = shift & 63;
        long lower = mantissa << bit;
        long upper = bit == 0 ? 0 : mantissa >>> (Long.SIZE - bit);
        if (down) {
            take(word, lower, upper);
        } else {
            put(word, lower, upper);
        }
    }

    private void put(int word, long lower, long upper) {
        long sum = words[word] + lower;
        long carry = Long.compareUnsigned(sum, lower) < 0 ? 1 : 0;
        words[word] = sum;
        long next = words[word + 1] + upper;
        long over = Long.compareUnsigned(next, upper) < 0 ? 1 : 0;
        words[word + 1] = next + carry;
        over += Long.compareUnsigned(words[word + 1], next) < 0 ? 1 : 0;
        for (int i = word + 2; over != 0 && i < WORDS; i++) {
            over = ++words[i] == 0 ? 1 : 0;
        }
    }

    private void take(int word, long lower, long upper) {
        long old = words[word];
        words[word] = old - lower;
        long borrow = Long.compareUnsigned(old, lower) < 0 ? 1 : 0;
        long next = words[word + 1];
        long difference = next - upper;
        long under = Long.compareUnsigned(next, upper) < 0 ? 1 : 0;
        words[word + 1] = difference - borrow;
        under += Long.compareUnsigned(difference, borrow) < 0 ? 1 : 0;
        for (int i = word + 2; under != 0 && i < WORDS; i++) {
            under = words[i]-- == 0 ? 1 : 0;
        }
    }

    /** The sum, rounded once. */
    double value() {
        if (nan > 0 || (infinite > 0 && negativeInfinite > 0)) {
            return Double.NaN;
        }
        if (infinite > 0) {
            return Double.POSITIVE_INFINITY;
        }
        if (negativeInfinite > 0) {
            return Double.NEGATIVE_INFINITY;
        }
        boolean negative = words[WORDS - 1] < 0;
        double magnitude = negative ? magnitude(negated()) : magnitude(words);
        if (magnitude == 0) {
            return values > 0 && negativeZeros == values ? -0.0 : 0.0;
        }
        return negative ? -magnitude : magnitude;
    }

    private long[] negated() {
        long[] result = new long[WORDS];
        boolean carry = true;
        for (int i = 0; i < WORDS; i++) {
            result[i] = ~words[i] + (carry ? 1 : 0);
            carry &= result[i] == 0;
        }
        return result;
    }

    private static double magnitude(long[] of) {
        int top = WORDS - 1;
        while (top >= 0 && of[top] == 0) {
            top--;
        }
        if (top < 0) {
            return 0;
        }
        int zeros = Long.numberOfLeadingZeros(of[top]);
        int length = Long.SIZE * (top + 1) - zeros;
        if (length <= MANTISSA_BITS + 1) {
            return Math.scalb((double) of[0], LEAST_EXPONENT);
        }
        // The highest 64 bits, of which the lowest also stands for all below.
        long head = of[top] << zeros;
        boolean rest = false;
        int below = top - 1;
        if (below >= 0) {
            head |= zeros == 0 ? 0 : of[below] >>> (Long.SIZE - zeros);
            rest = of[below] << zeros != 0;
            for (int i = below - 1; i >= 0 && !rest; i--) {
                rest = of[i] != 0;
            }
        }
        int dropped = Long.SIZE - MANTISSA_BITS - 1;
        long kept = head >>> dropped;
        long cut = head & (1L << dropped) - 1;
        long half = 1L << (dropped - 1);
        if (cut > half || (cut == half && (rest || (kept & 1) != 0))) {
            kept++;
        }
        return Math.scalb((double) kept, LEAST_EXPONENT + length - MANTISSA_BITS - 1);
    }
}
