package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortestDecimalTest {

    private static final int RANDOM_NUMBERS = 1_000_000;

    private final byte[] out = new byte[ShortestDecimal.LONGEST + TextBuffer.SLACK];

    @ParameterizedTest
    @CsvSource({
        "0.0, 0.0",
        "-0.0, -0.0",
        "1, 1.0",
        "-1.5, -1.5",
        "0.1, 0.1",
        "0.01, 0.01",
        "0.30000000000000004, 0.30000000000000004",
        "123456.78, 123456.78",
        "1e-6, 0.000001",
        "1e-7, 1E-7",
        "1.2345e-7, 1.2345E-7",
        "9999999999999998, 9999999999999998.0",
        "99999999999999984, 99999999999999980.0",
        "1e17, 1E17",
        "1.5e22, 1.5E22",
        "9007199254740993, 9007199254740992.0",
        "2e-3, 0.002",
        "1e23, 1E23",
        "2.2250738585072014e-308, 2.2250738585072014E-308",
        "2.2250738585072011e-308, 2.225073858507201E-308",
        "4.9e-324, 5E-324",
        "1.7976931348623157e308, 1.7976931348623157E308",
        "9.5367431640625E-7, 9.5367431640625E-7"
    })
    void doubles(double value, String text) {
        assertThat(float64(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0.1, 0.1",
        "-0.0, -0.0",
        "16777216, 16777216.0",
        "3.4028235e38, 3.4028235E38",
        "1.4e-45, 1E-45",
        "1.17549435e-38, 1.1754944E-38",
        "9999.99, 9999.99",
        "0.33333334, 0.33333334",
        "1e10, 10000000000.0"
    })
    void floats(float value, String text) {
        assertThat(float32(value)).isEqualTo(text);
    }

    @Test
    void randomBitsAreReadBackAndAreAsShortAsJavas() {
        SplittableRandom random = new SplittableRandom(20_260_101);
        for (int i = 0; i < RANDOM_NUMBERS; i++) {
            check(Double.longBitsToDouble(random.nextLong()));
            check(Float.intBitsToFloat(random.nextInt()));
        }
    }

    @Test
    void numbersOfFewDecimals() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 200_000; i++) {
            long digits = random.nextLong(1L << random.nextInt(1, 53));
            check(digits / Math.pow(10, random.nextInt(8)));
            check((float) (digits / Math.pow(10, random.nextInt(8))));
        }
    }

    @Test
    void powersOfTwoAndTheirNeighbours() {
        for (int e = Double.MIN_EXPONENT - 52; e <= Double.MAX_EXPONENT; e++) {
            double power = Math.scalb(1.0, e);
            check(power);
            check(Math.nextUp(power));
            check(Math.nextDown(power));
            check((float) power);
        }
    }

    /** There are only 65,536: the shortest of each is found by trying. */
    @Test
    void allNumbersOf16Bits() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float value = Float.float16ToFloat((short) bits);
            if (!Float.isFinite(value)) {
                continue;
            }
            String text = text(ShortestDecimal.float16(out, 0, (short) bits));
            assertThat(Float.floatToFloat16(Float.parseFloat(text))).isEqualTo((short) bits);
            assertThat(digits(text))
                    .as(text)
                    .isEqualTo(fewestDigits(new BigDecimal(value), (short) bits));
        }
    }

    private static int fewestDigits(BigDecimal value, short bits) {
        if (value.signum() == 0) {
            return 1;
        }
        for (int n = 1; ; n++) {
            BigDecimal unit =
                    BigDecimal.ONE.scaleByPowerOfTen(value.precision() - value.scale() - n);
            BigDecimal down = value.divideToIntegralValue(unit).multiply(unit);
            for (BigDecimal d :
                    new BigDecimal[] {
                        down, down.add(unit.multiply(BigDecimal.valueOf(value.signum())))
                    }) {
                if (Float.floatToFloat16(d.floatValue()) == bits) {
                    return Math.min(n, d.stripTrailingZeros().precision());
                }
            }
        }
    }

    private void check(double value) {
        if (!Double.isFinite(value)) {
            return;
        }
        String text = float64(value);
        if (Double.doubleToRawLongBits(Double.parseDouble(text))
                != Double.doubleToRawLongBits(value)) {
            throw new AssertionError(text + " is not " + value);
        }
        compare(text, Double.toString(value));
    }

    private void check(float value) {
        if (!Float.isFinite(value)) {
            return;
        }
        String text = float32(value);
        if (Float.floatToRawIntBits(Float.parseFloat(text)) != Float.floatToRawIntBits(value)) {
            throw new AssertionError(text + " is not " + value);
        }
        compare(text, Float.toString(value));
    }

    /** Java's digits, but for the tiniest numbers, of which it always gives two. */
    private static void compare(String text, String java) {
        if (text.equals(java)) {
            return;
        }
        BigDecimal ours = new BigDecimal(text);
        BigDecimal theirs = new BigDecimal(java);
        boolean shorter = digits(text) == 1 && digits(java) == 2;
        if (!shorter && ours.compareTo(theirs) != 0) {
            throw new AssertionError(text + " but Java's " + java);
        }
    }

    private static int digits(String text) {
        return new BigDecimal(text).stripTrailingZeros().precision();
    }

    private String float64(double value) {
        return text(ShortestDecimal.float64(out, 0, value));
    }

    private String float32(float value) {
        return text(ShortestDecimal.float32(out, 0, value));
    }

    private String text(int end) {
        assertThat(end).isBetween(1, ShortestDecimal.LONGEST);
        return new String(out, 0, end, StandardCharsets.US_ASCII);
    }
}
