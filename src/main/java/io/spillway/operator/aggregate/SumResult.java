package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** What becomes of an exact sum of integers or of decimals' unscaled values. */
sealed interface SumResult {

    /** Whole numbers up to here are float64 values. */
    long MAX_EXACT = 1L << 53;

    /** Powers of ten up to this one are float64 values. */
    int MAX_EXACT_POWER = 22;

    /** Bits of a quotient that is still to be rounded to a float64. */
    int QUOTIENT_BITS = 70;

    /**
     * Writes one result.
     *
     * @param rows that are summed, one or more
     * @param low the sum's three words, the last the highest
     */
    void put(int row, long rows, long low, long middle, long high, ResultColumn to);

    /**
     * The sum itself.
     *
     * @param call for messages
     * @param type int64, or decimal(38) of the values' scale
     */
    record Total(String call, ColumnType type) implements SumResult {

        private static final BigInteger DECIMAL_END = BigInteger.TEN.pow(38);

        /** What middle words of decimals that fit are below, but for a few that do, too. */
        private static final long MIDDLE_END = DECIMAL_END.shiftRight(64).longValue();

        @Override
        public void put(int row, long rows, long low, long middle, long high, ResultColumn to) {
            if (!(type instanceof ColumnType.Decimal
                    ? fitsDecimal(low, middle, high)
                    : fitsLong(low, middle, high))) {
                throw tooLarge(low, middle, high);
            }
            to.put(row, low, middle);
        }

        private static boolean fitsLong(long low, long middle, long high) {
            return middle == low >> 63 && high == middle;
        }

        private static boolean fitsDecimal(long low, long middle, long high) {
            return high == middle >> 63
                    && ((middle < MIDDLE_END && middle >= -MIDDLE_END)
                            || sum(low, middle, high).abs().compareTo(DECIMAL_END) < 0);
        }

        private SpillwayException tooLarge(long low, long middle, long high) {
            int scale = type instanceof ColumnType.Decimal(int _, int digits) ? digits : 0;
            BigDecimal total = new BigDecimal(sum(low, middle, high), scale);
            return new SpillwayException(
                    ErrorCode.ARITHMETIC_OVERFLOW,
                    "%s is %s, which does not fit %s".formatted(call, total.toPlainString(), type));
        }
    }

    /**
     * The sum divided by the number of rows, as the float64 that is next to it.
     *
     * @param scale of the values
     */
    record Mean(int scale) implements SumResult {

        @Override
        public void put(int row, long rows, long low, long middle, long high, ResultColumn to) {
            boolean small = middle == low >> 63 && high == middle && Math.abs(low) <= MAX_EXACT;
            to.putDouble(
                    row,
                    small && low != Long.MIN_VALUE && scale == 0
                            ? (double) low / rows
                            : quotient(
                                    sum(low, middle, high),
                                    BigInteger.valueOf(rows).multiply(BigInteger.TEN.pow(scale))));
        }

        /** The float64 next to a quotient, ties to even. */
        private static double quotient(BigInteger dividend, BigInteger divisor) {
            BigInteger magnitude = dividend.abs();
            int shift = Math.max(0, QUOTIENT_BITS - magnitude.bitLength() + divisor.bitLength());
            BigInteger[] parts = magnitude.shiftLeft(shift).divideAndRemainder(divisor);
            // The last bit stands for all that is cut off, so that rounding sees it.
            BigInteger bits = parts[1].signum() == 0 ? parts[0] : parts[0].setBit(0);
            double value = bits.doubleValue() * Math.scalb(1.0, -shift);
            return dividend.signum() < 0 ? -value : value;
        }
    }

    private static BigInteger sum(long low, long middle, long high) {
        BigInteger upper = BigInteger.valueOf(high).shiftLeft(64).or(unsigned(middle));
        return upper.shiftLeft(64).or(unsigned(low));
    }

    private static BigInteger unsigned(long word) {
        BigInteger value = BigInteger.valueOf(word & Long.MAX_VALUE);
        return word < 0 ? value.setBit(63) : value;
    }
}
