package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;

/** Columns of texts as truth values, integers, floats and decimals. */
final class NumberColumns {

    private NumberColumns() {}

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** {@code true} and {@code false}. */
    static final class Truths extends TextColumn {

        private static final int TRUE = 0x65757274;
        private static final int FALS = 0x736C6166;

        Truths(TextValues exact) {
            super(exact);
        }

        @Override
        int read(
                long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data) {
            for (int row = 0; row < rows; row++) {
                if (!Bits.get(valid, row)) {
                    continue;
                }
                long at = base + starts[row];
                int length = lengths[row] & mask;
                if (length == 4 && OffHeap.getInt(at) == TRUE) {
                    Bits.set(data, row);
                } else if (length == 5
                        && OffHeap.getInt(at) == FALS
                        && OffHeap.getByte(at + 4) == 'e') {
                    Bits.clear(data, row);
                } else if (!readExactly(at, length, data, row)) {
                    return row;
                }
            }
            return rows;
        }
    }

    /** Up to 18 digits, with a minus perhaps. */
    static final class Integers extends TextColumn {

        private final int bits;

        Integers(int bits, TextValues exact) {
            super(exact);
            this.bits = bits;
        }

        @Override
        int read(
                long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data) {
            for (int row = 0; row < rows; row++) {
                if (!Bits.get(valid, row)) {
                    continue;
                }
                long at = base + starts[row];
                int length = lengths[row] & mask;
                int sign = length > 0 && OffHeap.getByte(at) == '-' ? 1 : 0;
                int digits = length - sign;
                long number =
                        digits >= 1 && digits <= DigitRuns.MOST
                                ? DigitRuns.read(at + sign, digits)
                                : -1;
                long value = sign == 0 ? number : -number;
                if (number >= 0 && bits == Long.SIZE) {
                    OffHeap.putLong(data + (long) Long.BYTES * row, value);
                } else if (number >= 0 && value == (int) value) {
                    OffHeap.putInt(data + (long) Integer.BYTES * row, (int) value);
                } else if (!readExactly(at, length, data, row)) {
                    return row;
                }
            }
            return rows;
        }
    }

    /** Digits with a point among them, read into {@link #number} and {@link #places}. */
    private static final class Fraction {

        private long number;

        /** Digits behind the point. */
        private int places;

        /** False if the text is anything else, or has more than 18 digits. */
        boolean read(long from, int length) {
            if (length < 1 || length > DigitRuns.MOST + 1) {
                return false;
            }
            long sum = 0;
            int point = -1;
            for (int i = 0; i < length; i++) {
                int c = OffHeap.getByte(from + i);
                if (isDigit(c)) {
                    sum = 10 * sum + (c - '0');
                } else if (c == '.' && point < 0) {
                    point = i;
                } else {
                    return false;
                }
            }
            int digits = point < 0 ? length : length - 1;
            number = sum;
            places = point < 0 ? 0 : length - 1 - point;
            return digits >= 1 && digits <= DigitRuns.MOST;
        }
    }

    /** Numbers that are the exact quotient of two doubles, without an exponent. */
    static final class Doubles extends TextColumn {

        private static final long EXACT = 1_000_000_000_000_000L;

        private final Fraction fraction = new Fraction();

        Doubles(TextValues exact) {
            super(exact);
        }

        @Override
        int read(
                long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data) {
            for (int row = 0; row < rows; row++) {
                if (!Bits.get(valid, row)) {
                    continue;
                }
                long at = base + starts[row];
                int length = lengths[row] & mask;
                int sign = length > 0 && OffHeap.getByte(at) == '-' ? 1 : 0;
                if (fraction.read(at + sign, length - sign) && fraction.number < EXACT) {
                    double magnitude = fraction.number / FloatConversions.power(fraction.places);
                    OffHeap.putLong(
                            data + (long) Double.BYTES * row,
                            Double.doubleToRawLongBits(sign == 0 ? magnitude : -magnitude));
                } else if (!readExactly(at, length, data, row)) {
                    return row;
                }
            }
            return rows;
        }
    }

    /** Numbers of no more digits behind the point than the type has, that fit 64 bits. */
    static final class Decimals extends TextColumn {

        private final int scale;

        /** What the magnitude of an unscaled value is below. */
        private final long bound;

        private final Fraction fraction = new Fraction();

        Decimals(ColumnType.Decimal type, TextValues exact) {
            super(exact);
            this.scale = type.scale();
            this.bound = Int128.power(Math.min(type.precision(), DigitRuns.MOST));
        }

        @Override
        int read(
                long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data) {
            for (int row = 0; row < rows; row++) {
                if (!Bits.get(valid, row)) {
                    continue;
                }
                long at = base + starts[row];
                int length = lengths[row] & mask;
                int sign = length > 0 && OffHeap.getByte(at) == '-' ? 1 : 0;
                long unscaled =
                        fraction.read(at + sign, length - sign) ? unscaled(length - sign) : -1;
                if (unscaled >= 0 && unscaled < bound) {
                    long value = sign == 0 ? unscaled : -unscaled;
                    OffHeap.putLong(data + 16L * row, value);
                    OffHeap.putLong(data + 16L * row + Long.BYTES, value >> 63);
                } else if (!readExactly(at, length, data, row)) {
                    return row;
                }
            }
            return rows;
        }

        /**
         * The number in units of the scale, or -1 if that may be too large, or has to be rounded.
         */
        private long unscaled(int digits) {
            int up = scale - fraction.places;
            return up < 0 || digits + up > DigitRuns.MOST ? -1 : fraction.number * Int128.power(up);
        }
    }
}
