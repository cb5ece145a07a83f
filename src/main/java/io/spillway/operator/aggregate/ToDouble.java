package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Numbers of a type as float64, each the one next to it. */
sealed interface ToDouble {

    /** Turns words into the bits of float64 values, in place. */
    void convert(long[] low, long[] high, int count);

    static ToDouble of(ColumnType type) {
        return switch (type) {
            case ColumnType.FloatingPoint _ -> new Floats();
            case ColumnType.Decimal(int _, int scale) -> new Decimals(scale);
            case ColumnType.Int(int bits, boolean signed) ->
                    new Integers(!signed && bits == Long.SIZE);
            case ColumnType _ -> throw new IllegalArgumentException(type + " is no number");
        };
    }

    /** Floats, which are there already. */
    record Floats() implements ToDouble {
        @Override
        public void convert(long[] low, long[] high, int count) {}
    }

    /**
     * Integers.
     *
     * @param unsigned whether the highest bit counts, not signs
     */
    record Integers(boolean unsigned) implements ToDouble {
        @Override
        public void convert(long[] low, long[] high, int count) {
            for (int i = 0; i < count; i++) {
                long value = low[i];
                // Half of a number that is rounded to 53 bits rounds as the whole does, as long as
                // the bit that is lost leaves a trace.
                double number =
                        unsigned && value < 0 ? 2.0 * (value >>> 1 | (value & 1)) : (double) value;
                low[i] = Double.doubleToRawLongBits(number);
            }
        }
    }

    /** Decimals. */
    record Decimals(int scale) implements ToDouble {

        @Override
        public void convert(long[] low, long[] high, int count) {
            boolean exactPower = scale <= SumResult.MAX_EXACT_POWER;
            double power = exactPower ? Math.pow(10, scale) : 0;
            for (int i = 0; i < count; i++) {
                long value = low[i];
                boolean small =
                        exactPower
                                && high[i] == value >> 63
                                && value <= SumResult.MAX_EXACT
                                && value >= -SumResult.MAX_EXACT;
                // Two exact numbers give a quotient that is rounded once.
                double number = small ? value / power : wide(value, high[i]);
                low[i] = Double.doubleToRawLongBits(number);
            }
        }

        private double wide(long low, long high) {
            BigInteger lower = BigInteger.valueOf(low & Long.MAX_VALUE);
            BigInteger unscaled =
                    BigInteger.valueOf(high).shiftLeft(64).or(low < 0 ? lower.setBit(63) : lower);
            return new BigDecimal(unscaled, scale).doubleValue();
        }
    }
}
