package io.spillway.expression;

import io.spillway.batch.OffHeap;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A 128-bit signed integer that can be changed, as scratch for decimals' unscaled values: the lower
 * half unsigned, the upper half signed, as Arrow lays them out.
 */
final class Int128 {

    /** Powers of ten that fit 64 bits. */
    private static final int MAX_POWER = 18;

    private static final long[] POWERS = new long[MAX_POWER + 1];

    static {
        POWERS[0] = 1;
        for (int i = 1; i <= MAX_POWER; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private long low;
    private long high;

    /** 10 to the power, at most 18. */
    static long power(int exponent) {
        return POWERS[exponent];
    }

    long low() {
        return low;
    }

    long high() {
        return high;
    }

    void set(long newLow, long newHigh) {
        low = newLow;
        high = newHigh;
    }

    void load(long address) {
        low = OffHeap.getLong(address);
        high = OffHeap.getLong(address + 8);
    }

    void store(long address) {
        OffHeap.putLong(address, low);
        OffHeap.putLong(address + 8, high);
    }

    boolean isLong() {
        return high == low >> 63;
    }

    /** The sign: negative, zero or positive. */
    int signum() {
        return high != 0 ? Long.signum(high) : low != 0 ? 1 : 0;
    }

    static int compare(long lowA, long highA, long lowB, long highB) {
        return highA != highB ? Long.compare(highA, highB) : Long.compareUnsigned(lowA, lowB);
    }

    /** Becomes the product of two 64-bit integers. */
    void product(long a, long b) {
        low = a * b;
        high = Math.multiplyHigh(a, b);
    }

    /** Adds; false if the sum does not fit, and the value is then undefined. */
    boolean add(long otherLow, long otherHigh) {
        long sum = low + otherLow;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        long upper = high + otherHigh + carry;
        boolean fits = ((high ^ upper) & (otherHigh ^ upper)) >= 0;
        low = sum;
        high = upper;
        return fits;
    }

    void negate() {
        low = -low;
        high = ~high + (low == 0 ? 1 : 0);
    }

    /**
     * Multiplies by a power of ten; false if the product does not fit, and the value is then
     * undefined.
     */
    boolean scaleUp(int digits) {
        int left = digits;
        while (left > 0) {
            int step = Math.min(left, MAX_POWER);
            if (!multiply(POWERS[step])) {
                return false;
            }
            left -= step;
        }
        return true;
    }

    /**
     * Moves the decimal point: multiplies by a power of ten, or for negative {@code digits} divides
     * by one, rounding half away from zero. False if that does not fit, or if it would take a
     * division in more than 64 bits; the value is then undefined.
     */
    boolean rescale(int digits) {
        if (digits >= 0) {
            return scaleUp(digits);
        }
        if (!isLong() || digits < -MAX_POWER) {
            return false;
        }
        long rounded = divideHalfUp(low, POWERS[-digits]);
        set(rounded, rounded >> 63);
        return true;
    }

    /** The quotient, rounded half away from zero; not for the least integer by -1. */
    static long divideHalfUp(long dividend, long divisor) {
        long quotient = dividend / divisor;
        // Remainders are negated rather than made positive, since the least integer has no
        // opposite.
        long rest = -Math.abs(dividend % divisor);
        long divisorDown = divisor > 0 ? -divisor : divisor;
        if (rest > divisorDown - rest) {
            return quotient;
        }
        return quotient + ((dividend ^ divisor) < 0 ? -1 : 1);
    }

    private boolean multiply(long factor) {
        boolean negative = high < 0;
        if (negative) {
            negate();
        }
        long carry = Math.unsignedMultiplyHigh(low, factor);
        long upper = high * factor;
        boolean fits =
                high >= 0
                        && Math.multiplyHigh(high, factor) == 0
                        && upper >= 0
                        && carry >= 0
                        && upper + carry >= 0;
        low *= factor;
        high = upper + carry;
        if (negative) {
            negate();
        }
        return fits;
    }

    BigInteger toBigInteger() {
        return BigInteger.valueOf(high).shiftLeft(64).or(unsigned(low));
    }

    private static BigInteger unsigned(long value) {
        BigInteger lower = BigInteger.valueOf(value & Long.MAX_VALUE);
        return value < 0 ? lower.setBit(63) : lower;
    }

    /** Becomes a value that fits. */
    void set(BigInteger value) {
        low = value.longValue();
        high = value.shiftRight(64).longValue();
    }

    /** Whether the value has at most so many decimal digits. */
    boolean fits(int precision) {
        if (precision <= MAX_POWER) {
            return isLong() && low < POWERS[precision] && low > -POWERS[precision];
        }
        long limitLow = Limits.LOW[precision];
        long limitHigh = Limits.HIGH[precision];
        if (high >= 0) {
            return compare(low, high, limitLow, limitHigh) < 0;
        }
        Int128 magnitude = new Int128();
        magnitude.set(low, high);
        magnitude.negate();
        return magnitude.high >= 0
                && compare(magnitude.low, magnitude.high, limitLow, limitHigh) < 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Int128 o && low == o.low && high == o.high;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(low ^ high);
    }

    @Override
    public String toString() {
        return toBigInteger().toString();
    }

    /** Powers of ten up to 38, which bound the digits of a decimal. */
    private static final class Limits {
        private static final long[] LOW = new long[39];
        private static final long[] HIGH = new long[39];

        static {
            for (int i = 0; i < LOW.length; i++) {
                BigInteger power = BigInteger.TEN.pow(i);
                LOW[i] = power.longValue();
                HIGH[i] = power.shiftRight(64).longValue();
            }
        }
    }
}
