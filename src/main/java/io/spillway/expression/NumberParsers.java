package io.spillway.expression;

import io.spillway.batch.ColumnType;

/** Texts as truth values, integers, floats and decimals. */
final class NumberParsers {

    private NumberParsers() {}

    /** Words that PostgreSQL takes, in any case. */
    static final class Truths extends TextParser {

        private static final String[] YES = {"true", "t", "1", "yes", "y", "on"};
        private static final String[] NO = {"false", "f", "0", "no", "n", "off"};

        @Override
        boolean parse(TextScanner text) {
            for (String word : YES) {
                if (text.acceptRest(word)) {
                    return found(1);
                }
            }
            for (String word : NO) {
                if (text.acceptRest(word)) {
                    return found(0);
                }
            }
            return false;
        }
    }

    /** A sign, perhaps, and digits. */
    static final class Integers extends TextParser {

        private final IntegerRange range;

        Integers(ColumnType.Int type) {
            range = new IntegerRange(type);
        }

        @Override
        boolean parse(TextScanner text) {
            boolean negative = text.negative();
            long magnitude = text.digit();
            if (magnitude < 0) {
                return false;
            }
            for (int digit = text.digit(); digit >= 0; digit = text.digit()) {
                if (Math.unsignedMultiplyHigh(magnitude, 10) != 0) {
                    return false;
                }
                long next = 10 * magnitude + digit;
                if (Long.compareUnsigned(next, digit) < 0) {
                    return false;
                }
                magnitude = next;
            }
            if (!text.atEnd()) {
                return false;
            }
            if (range.isUnsigned64()) {
                return (!negative || magnitude == 0) && found(magnitude);
            }
            long value = negative ? -magnitude : magnitude;
            boolean fits = negative ? value <= 0 : value >= 0;
            return fits && range.contains(value) && found(value);
        }
    }

    /**
     * Digits with a point and an exponent, perhaps, or {@code NaN}, {@code Infinity}, {@code Inf}
     * in letters of any case. Short numbers are exact quotients or products of two doubles (W.
     * Clinger, "How to read floating point numbers accurately", 1990); others are rounded correctly
     * too.
     */
    static final class Floats extends TextParser {

        private static final int EXACT_DIGITS = 15;
        private static final int EXACT_POWER = 22;
        private static final int MAX_EXPONENT = 100_000;

        private final int bits;

        Floats(int bits) {
            this.bits = bits;
        }

        @Override
        boolean parse(TextScanner text) {
            int start = text.position();
            boolean negative = text.negative();
            if (text.acceptRest("nan")) {
                return found(Double.doubleToRawLongBits(Double.NaN));
            }
            if (text.acceptRest("infinity") || text.acceptRest("inf")) {
                double infinity = Double.POSITIVE_INFINITY;
                return found(Double.doubleToRawLongBits(negative ? -infinity : infinity));
            }
            Mantissa mantissa = new Mantissa();
            if (!mantissa.read(text)) {
                return false;
            }
            int exponent = mantissa.exponent;
            double value;
            if (bits == 64
                    && mantissa.digits <= EXACT_DIGITS
                    && exponent >= -EXACT_POWER
                    && exponent <= EXACT_POWER) {
                double magnitude =
                        exponent < 0
                                ? mantissa.number / FloatConversions.power(-exponent)
                                : mantissa.number * FloatConversions.power(exponent);
                value = negative ? -magnitude : magnitude;
            } else {
                value = bits == 64 ? text.doubleFrom(start) : text.floatFrom(start);
            }
            boolean overflows =
                    bits == 16
                            ? Float.isInfinite(
                                    Float.float16ToFloat(Float.floatToFloat16((float) value)))
                            : Double.isInfinite(value);
            return !overflows && found(Double.doubleToRawLongBits(value));
        }
    }

    /** The parts of a number as written. */
    private static final class Mantissa {
        private long number;
        private int digits;
        private int exponent;

        /** Reads digits, point and exponent up to the end of the text. */
        boolean read(TextScanner text) {
            int seen = digits(text);
            if (text.accept('.')) {
                int before = seen;
                seen += digits(text);
                exponent = before - seen;
            }
            if (seen == 0) {
                return false;
            }
            if (text.accept('e') || text.accept('E')) {
                boolean negative = text.negative();
                int digit = text.digit();
                if (digit < 0) {
                    return false;
                }
                int power = 0;
                for (; digit >= 0; digit = text.digit()) {
                    power = Math.min(10 * power + digit, Floats.MAX_EXPONENT);
                }
                exponent += negative ? -power : power;
            }
            return text.atEnd();
        }

        private int digits(TextScanner text) {
            int seen = 0;
            for (int digit = text.digit(); digit >= 0; digit = text.digit()) {
                seen++;
                if (digits < 18) {
                    number = 10 * number + digit;
                }
                digits += number == 0 ? 0 : 1;
            }
            return seen;
        }
    }

    /**
     * Digits with a point and an exponent, perhaps; rounded half away from zero to the scale, for
     * which the first digit that is dropped suffices.
     */
    static final class Decimals extends TextParser {

        private final int precision;
        private final int scale;
        private final Int128 value = new Int128();

        Decimals(ColumnType.Decimal type) {
            precision = type.precision();
            scale = type.scale();
        }

        @Override
        boolean parse(TextScanner text) {
            boolean negative = text.negative();
            int start = text.position();
            Mantissa shape = new Mantissa();
            if (!shape.read(text)) {
                return false;
            }
            text.moveTo(start);
            int digits = countDigits(text);
            // The digits as one whole number stand for number × 10^(shape.exponent); those of it
            // below 10^-scale are dropped.
            long places = (long) shape.exponent + scale;
            text.moveTo(start);
            long kept = digits + places;
            value.set(0, 0);
            boolean roundsUp = false;
            for (long i = 0; i < digits; i++) {
                int digit = text.digit();
                if (digit < 0) {
                    text.accept('.');
                    digit = text.digit();
                }
                if (i < kept) {
                    if (!value.scaleUp(1) || !value.add(digit, 0)) {
                        return false;
                    }
                } else {
                    roundsUp = i == kept && digit >= 5;
                    break;
                }
            }
            if (places > 0 && value.signum() != 0 && !scaleUp(places)) {
                return false;
            }
            if (roundsUp && !value.add(1, 0)) {
                return false;
            }
            if (negative) {
                value.negate();
            }
            return value.fits(precision) && found(value);
        }

        private boolean scaleUp(long places) {
            return places <= 38 && value.scaleUp((int) places);
        }

        /** All digits before the exponent. */
        private static int countDigits(TextScanner text) {
            int count = 0;
            while (text.digit() >= 0) {
                count++;
            }
            if (text.accept('.')) {
                while (text.digit() >= 0) {
                    count++;
                }
            }
            return count;
        }
    }
}
