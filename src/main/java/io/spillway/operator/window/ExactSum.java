package io.spillway.operator.window;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * A sum of 128-bit integers, from which values may be taken again: 192 bits hold that of as many as
 * there can be.
 */
final class ExactSum {

    private static final long EXACT = 1L << 53;
    private static final int EXACT_POWER = 22;
    private static final MathContext ENOUGH = new MathContext(60);
    private static final BigInteger DECIMAL_END = BigInteger.TEN.pow(38);

    private long low;
    private long middle;
    private long high;

    void reset() {
        low = 0;
        middle = 0;
        high = 0;
    }

    void add(long valueLow, long valueHigh) {
        long sum = low + valueLow;
        long carry = Long.compareUnsigned(sum, valueLow) < 0 ? 1 : 0;
        low = sum;
        long next = middle + valueHigh;
        long over = Long.compareUnsigned(next, valueHigh) < 0 ? 1 : 0;
        middle = next + carry;
        over += Long.compareUnsigned(middle, next) < 0 ? 1 : 0;
        high += (valueHigh >> (Long.SIZE - 1)) + over;
    }

    void subtract(long valueLow, long valueHigh) {
        // -x is ~x + 1.
        add(~valueLow, ~valueHigh);
        add(1, 0);
    }

    private boolean isLong() {
        return middle == low >> (Long.SIZE - 1) && high == middle;
    }

    /** Whether the sum is an int64. */
    boolean fitsLong() {
        return isLong();
    }

    /** Whether the sum has at most 38 digits. */
    boolean fitsDecimal() {
        return isLong() || value().abs().compareTo(DECIMAL_END) < 0;
    }

    long low() {
        return low;
    }

    long middle() {
        return middle;
    }

    private BigInteger value() {
        byte[] bytes = new byte[3 * Long.BYTES];
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[i] = (byte) (high >>> (56 - 8 * i));
            bytes[Long.BYTES + i] = (byte) (middle >>> (56 - 8 * i));
            bytes[2 * Long.BYTES + i] = (byte) (low >>> (56 - 8 * i));
        }
        return new BigInteger(bytes);
    }

    /** The mean of so many values with so many digits behind the point, rounded once. */
    double mean(long count, int scale) {
        if (isLong() && Math.abs(low) <= EXACT && scale <= EXACT_POWER) {
            double divisor = count * Math.pow(10, scale);
            if (divisor <= EXACT) {
                return low / divisor;
            }
        }
        return new BigDecimal(value(), scale)
                .divide(BigDecimal.valueOf(count), ENOUGH)
                .doubleValue();
    }
}
