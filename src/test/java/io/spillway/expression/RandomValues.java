package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.testing.NestedValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;

/** Values of every type, small and frequent ones, extremes and traps. */
public final class RandomValues {

    private static final String[] TEXTS = {
        "",
        "a",
        "ab",
        "abc",
        "b",
        "A%b",
        "_",
        " a ",
        "  ",
        "é",
        "aé",
        "€uro",
        "😀",
        "a😀b",
        "12",
        "-7",
        "1.50",
        "true",
        "2024-02-29",
        "aaaaaaaaaaaaaaaab",
        "ß",
        "Ǆ"
    };
    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        -0.5,
        1.5,
        2.5,
        0.1,
        1e15,
        -1e300,
        1e-300,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MAX_VALUE,
        Double.MIN_VALUE
    };

    private RandomValues() {}

    public static Object value(ColumnType type, Random random) {
        return switch (type) {
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    NestedValues.value(type, random, RandomValues::value);
            case ColumnType.Bool() -> random.nextBoolean();
            case ColumnType.Int(int bits, boolean signed) -> integer(bits, signed, random);
            case ColumnType.FloatingPoint(int bits) -> narrowed(number(random), bits);
            case ColumnType.Decimal(int precision, int scale) ->
                    new BigDecimal(decimal(precision, random), scale);
            case ColumnType.Utf8() -> TEXTS[random.nextInt(TEXTS.length)];
            case ColumnType.Binary() -> TestValues.hex(TEXTS[random.nextInt(TEXTS.length)]);
            case ColumnType.FixedBinary(int width) ->
                    "%0".concat(2 * width + "x").formatted(random.nextInt(1 << 20));
            case ColumnType.Date() -> integer(32, true, random);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    BigInteger.valueOf(random.nextLong(86_400 * unit.perSecond()));
            case ColumnType.Timestamp _ ->
                    random.nextInt(3) == 0
                            ? integer(64, true, random)
                            : BigInteger.valueOf(random.nextLong(-(1L << 52), 1L << 52));
        };
    }

    private static BigInteger integer(int bits, boolean signed, Random random) {
        BigInteger min = signed ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
        BigInteger max =
                BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
        return switch (random.nextInt(12)) {
            case 0 -> min;
            case 1 -> max;
            case 2 -> new BigInteger(bits, random).add(min).min(max);
            default -> BigInteger.valueOf(random.nextInt(8) - 3).max(min);
        };
    }

    private static double number(Random random) {
        return random.nextInt(3) == 0
                ? random.nextInt(-50, 50) / 8.0
                : DOUBLES[random.nextInt(DOUBLES.length)];
    }

    private static double narrowed(double value, int bits) {
        return switch (bits) {
            case 16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
            case 32 -> (float) value;
            default -> value;
        };
    }

    private static BigInteger decimal(int precision, Random random) {
        BigInteger max = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
        return switch (random.nextInt(10)) {
            case 0 -> max;
            case 1 -> max.negate();
            case 2 -> new BigInteger(precision * 3, random).mod(max);
            default -> BigInteger.valueOf(random.nextInt(-600, 600)).min(max).max(max.negate());
        };
    }
}
