package io.spillway.encode;

import static io.spillway.encode.Encoding.LINES;
import static java.time.temporal.ChronoUnit.MICROS;
import static java.time.temporal.ChronoUnit.NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of each type's values, against what Java's own classes make of them. */
class ValueTextTest {

    private static final JsonFormat STRINGS =
            new JsonFormat(JsonFormat.Layout.LINES, false, true, false);

    private final Encoding encoding = new Encoding();

    @AfterEach
    void everythingIsFreed() {
        encoding.close();
    }

    @Test
    void integersBeyondDoublesKeepAllDigits() {
        Object[] values = {
            9007199254740991L,
            9007199254740992L,
            9007199254740993L,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            null,
            0L,
            -1L
        };
        assertThat(encoding.values(LINES, "int64", values))
                .containsExactly(
                        "9007199254740991",
                        "9007199254740992",
                        "9007199254740993",
                        "-9223372036854775808",
                        "9223372036854775807",
                        "null",
                        "0",
                        "-1");
        assertThat(encoding.values(STRINGS, "int64", values))
                .containsExactly(
                        "\"9007199254740991\"",
                        "\"9007199254740992\"",
                        "\"9007199254740993\"",
                        "\"-9223372036854775808\"",
                        "\"9223372036854775807\"",
                        "null",
                        "\"0\"",
                        "\"-1\"");
    }

    @Test
    void integersOfEveryWidth() {
        assertThat(encoding.values(LINES, "int8", -128L, 127L)).containsExactly("-128", "127");
        assertThat(encoding.values(LINES, "uint8", 255L, 0L)).containsExactly("255", "0");
        assertThat(encoding.values(LINES, "int16", -32768L, 32767L))
                .containsExactly("-32768", "32767");
        assertThat(encoding.values(LINES, "uint16", 65535L)).containsExactly("65535");
        assertThat(encoding.values(STRINGS, "int32", -2147483648L, 2147483647L))
                .containsExactly("-2147483648", "2147483647");
        assertThat(encoding.values(STRINGS, "uint32", 4294967295L)).containsExactly("4294967295");
        assertThat(encoding.values(LINES, "uint64", -1L, Long.MIN_VALUE, 10L))
                .containsExactly("18446744073709551615", "9223372036854775808", "10");
        assertThat(encoding.values(STRINGS, "uint64", -1L))
                .containsExactly("\"18446744073709551615\"");
    }

    @Test
    void integersAroundEveryPowerOfTen() {
        Object[] values =
                boxed(
                        LongStream.iterate(1, p -> p * 10)
                                .limit(19)
                                .flatMap(p -> LongStream.rangeClosed(p - 2, p + 2))
                                .flatMap(v -> LongStream.of(v, -v)));
        assertThat(encoding.values(LINES, "int64", values))
                .isEqualTo(Arrays.stream(values).map(Object::toString).toList());
    }

    @Test
    void numbersThatAreNoneStayApart() {
        assertThat(
                        encoding.values(
                                LINES,
                                "float64",
                                1.5,
                                Double.NaN,
                                Double.POSITIVE_INFINITY,
                                Double.NEGATIVE_INFINITY,
                                -0.0,
                                null))
                .containsExactly("1.5", "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "-0.0", "null");
        assertThat(
                        encoding.values(
                                LINES,
                                "float32",
                                0.1f,
                                Float.NaN,
                                Float.POSITIVE_INFINITY,
                                Float.NEGATIVE_INFINITY,
                                -0.0f,
                                null))
                .containsExactly("0.1", "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "-0.0", "null");
        assertThat(
                        encoding.values(
                                LINES,
                                "float16",
                                (short) 0x3e00,
                                (short) 0x7e00,
                                (short) 0x7c00,
                                (short) 0xfc00,
                                (short) 0x8000,
                                null,
                                (short) 0x7bff,
                                (short) 1))
                .containsExactly(
                        "1.5",
                        "\"NaN\"",
                        "\"Infinity\"",
                        "\"-Infinity\"",
                        "-0.0",
                        "null",
                        "65500.0",
                        "6E-8");
    }

    @ParameterizedTest
    @CsvSource({
        "'decimal(38,18)', 0, 0.000000000000000000",
        "'decimal(10,2)', 2500.00, 2500.00",
        "'decimal(10,2)', -0.01, -0.01",
        "'decimal(9,9)', 0.000000001, 0.000000001",
        "'decimal(9,9)', -0.999999999, -0.999999999",
        "'decimal(38,0)', 99999999999999999999999999999999999999,"
                + " 99999999999999999999999999999999999999",
        "'decimal(38,38)', -0.99999999999999999999999999999999999999,"
                + " -0.99999999999999999999999999999999999999",
        "'decimal(38,10)', 12345678901234567890.0000000001, 12345678901234567890.0000000001",
        "'decimal(38,37)', 0.0000000000000000001000000000000000000,"
                + " 0.0000000000000000001000000000000000000",
        "'decimal(38,0)', 9223372036854775808, 9223372036854775808",
        "'decimal(38,0)', -9223372036854775808, -9223372036854775808",
        "'decimal(38,0)', 18446744073709551616, 18446744073709551616",
        "'decimal(38,0)', 10000000000000000000000000000, 10000000000000000000000000000",
        "'decimal(5,0)', 0, 0",
        "'decimal(2,5)', 0.00042, 0.00042"
    })
    void decimals(String type, BigDecimal value, String text) {
        Object scaled = value.setScale(scale(type));
        assertThat(encoding.values(LINES, type, scaled)).containsExactly(text);
        assertThat(encoding.values(STRINGS, type, scaled)).containsExactly('"' + text + '"');
    }

    @Test
    void randomDecimals() {
        Random random = new Random(11);
        for (int scale = 0; scale <= 38; scale++) {
            Object[] values = new Object[200];
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < values.length; i++) {
                BigInteger unscaled = new BigInteger(random.nextInt(127), random);
                if (unscaled.toString().length() > 38) {
                    unscaled = unscaled.divide(BigInteger.TEN);
                }
                BigDecimal value =
                        new BigDecimal(random.nextBoolean() ? unscaled.negate() : unscaled, scale);
                values[i] = value;
                texts.add(value.toPlainString());
            }
            assertThat(encoding.values(LINES, "decimal(38," + scale + ")", values))
                    .isEqualTo(texts);
        }
    }

    private static int scale(String type) {
        return Integer.parseInt(type.substring(type.indexOf(',') + 1, type.length() - 1));
    }

    @Test
    void binaryIsBase64() {
        SplittableRandom random = new SplittableRandom(1);
        for (int n = 0; n < 70; n++) {
            byte[] bytes = new byte[n];
            random.nextBytes(bytes);
            String text = '"' + Base64.getEncoder().encodeToString(bytes) + '"';
            assertThat(encoding.values(LINES, "binary", bytes, null)).containsExactly(text, "null");
            if (n > 0) {
                assertThat(encoding.values(LINES, "binary(" + n + ")", null, bytes))
                        .containsExactly("null", text);
            }
        }
        byte[] large = new byte[100_001];
        random.nextBytes(large);
        String text = '"' + Base64.getEncoder().encodeToString(large) + '"';
        assertThat(encoding.values(LINES, "binary(100001)", large, null, large))
                .containsExactly(text, "null", text);
    }

    @Test
    void datesOfTheWholeRange() {
        SplittableRandom random = new SplittableRandom(2);
        Object[] days = new Object[5_000];
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < days.length; i++) {
            long day =
                    switch (i) {
                        case 0 -> Integer.MIN_VALUE;
                        case 1 -> Integer.MAX_VALUE;
                        case 2 -> LocalDate.of(0, 1, 1).toEpochDay();
                        case 3 -> LocalDate.of(-1, 12, 31).toEpochDay();
                        case 4 -> LocalDate.of(9999, 12, 31).toEpochDay();
                        case 5 -> LocalDate.of(10000, 1, 1).toEpochDay();
                        case 6 -> LocalDate.of(1, 1, 1).toEpochDay();
                        case 7 -> LocalDate.of(2000, 2, 29).toEpochDay();
                        case 8 -> LocalDate.of(1900, 2, 28).toEpochDay();
                        default ->
                                i % 2 == 0 ? random.nextInt() : random.nextInt(-800_000, 800_000);
                    };
            days[i] = day;
            texts.add('"' + LocalDate.ofEpochDay(day).toString() + '"');
        }
        assertThat(encoding.values(LINES, "date", days)).isEqualTo(texts);
        assertThat(encoding.values(LINES, "date", -719_528L, -719_529L, 2_932_897L))
                .containsExactly("\"0000-01-01\"", "\"-0001-12-31\"", "\"+10000-01-01\"");
    }

    @Test
    void everyDayOfFourCenturies() {
        byte[] out = new byte[32];
        LocalDate date = LocalDate.of(1599, 12, 31);
        for (long day = date.toEpochDay(); date.getYear() < 2001; day++) {
            int end = CivilDate.write(out, 0, day);
            if (!new String(out, 0, end, java.nio.charset.StandardCharsets.US_ASCII)
                    .equals(date.toString())) {
                throw new AssertionError(date);
            }
            date = date.plusDays(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "timestamp(s), 0, 1970-01-01T00:00:00",
        "'timestamp(s,UTC)', -1, 1969-12-31T23:59:59Z",
        "'timestamp(ms,UTC)', -1, 1969-12-31T23:59:59.999Z",
        "timestamp(ms), 1772936999000, 2026-03-08T02:29:59.000",
        "'timestamp(us,UTC)', 1704141296123456, 2024-01-01T20:34:56.123456Z",
        "timestamp(us), -62135596800000000, 0001-01-01T00:00:00.000000",
        "timestamp(us), -62135596800000001, 0000-12-31T23:59:59.999999",
        "timestamp(us), -62167219200000001, -0001-12-31T23:59:59.999999",
        "timestamp(us), 253402300799999999, 9999-12-31T23:59:59.999999",
        "timestamp(us), 253402300800000000, +10000-01-01T00:00:00.000000",
        "timestamp(us), 9089380393200000000, +290000-12-30T23:00:00.000000",
        "timestamp(ns), -1, 1969-12-31T23:59:59.999999999",
        "'timestamp(ns,UTC)', 9223372036854775807, 2262-04-11T23:47:16.854775807Z",
        "'timestamp(ns,UTC)', -9223372036854775808, 1677-09-21T00:12:43.145224192Z",
        "timestamp(s), 9223372036854775807, +292277026596-12-04T15:30:07",
        "timestamp(s), -9223372036854775808, -292277022657-01-27T08:29:52"
    })
    void timestamps(String type, long count, String text) {
        assertThat(encoding.values(LINES, type, count)).containsExactly('"' + text + '"');
    }

    @Test
    void timestampsInAnyOrderDoNotMixTheirDays() {
        assertThat(
                        encoding.values(
                                LINES,
                                "timestamp(ns)",
                                Long.MIN_VALUE,
                                Long.MAX_VALUE,
                                Long.MIN_VALUE + 1,
                                0L,
                                null,
                                86_399_999_999_999L,
                                86_400_000_000_000L,
                                -1L))
                .containsExactly(
                        "\"1677-09-21T00:12:43.145224192\"",
                        "\"2262-04-11T23:47:16.854775807\"",
                        "\"1677-09-21T00:12:43.145224193\"",
                        "\"1970-01-01T00:00:00.000000000\"",
                        "null",
                        "\"1970-01-01T23:59:59.999999999\"",
                        "\"1970-01-02T00:00:00.000000000\"",
                        "\"1969-12-31T23:59:59.999999999\"");
    }

    @Test
    void randomTimestampsAreJavasInstants() {
        SplittableRandom random = new SplittableRandom(4);
        Object[] counts = boxed(random.longs(3_000));
        List<String> nanos = encoding.values(LINES, "timestamp(ns,UTC)", counts);
        List<String> micros = encoding.values(LINES, "timestamp(us,UTC)", counts);
        for (int i = 0; i < counts.length; i++) {
            long count = (Long) counts[i];
            assertThat(instant(nanos.get(i))).isEqualTo(Instant.EPOCH.plus(count, NANOS));
            assertThat(instant(micros.get(i))).isEqualTo(Instant.EPOCH.plus(count, MICROS));
        }
    }

    private static Instant instant(String json) {
        return Instant.parse(json.substring(1, json.length() - 1));
    }

    private static Object[] boxed(LongStream values) {
        return values.boxed().toArray();
    }

    @Test
    void timesOfDay() {
        assertThat(encoding.values(LINES, "time(s)", 0L, 86_399L, null))
                .containsExactly("\"00:00:00\"", "\"23:59:59\"", "null");
        assertThat(encoding.values(LINES, "time(ms)", 1L, 86_399_999L))
                .containsExactly("\"00:00:00.001\"", "\"23:59:59.999\"");
        assertThat(encoding.values(LINES, "time(us)", 3_600_000_001L))
                .containsExactly("\"01:00:00.000001\"");
        SplittableRandom random = new SplittableRandom(6);
        Object[] nanos = boxed(random.longs(1_000, 0, 86_400_000_000_000L));
        List<String> texts = encoding.values(LINES, "time(ns)", nanos);
        for (int i = 0; i < nanos.length; i++) {
            String text = texts.get(i);
            assertThat(text).hasSize("'hh:mm:ss.nnnnnnnnn'".length());
            assertThat(LocalTime.parse(text.substring(1, text.length() - 1)))
                    .isEqualTo(LocalTime.ofNanoOfDay((Long) nanos[i]));
        }
    }

    @ParameterizedTest
    @CsvSource({"time(s), 86400", "time(ms), -1", "time(us), 86400000000", "time(ns), -5"})
    void timesOutsideTheDayAreAnError(String type, long count) {
        assertThatThrownBy(() -> encoding.rows(LINES, type, 1L, null, count))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CAST);
                            assertThat(e.context())
                                    .containsEntry("column", "v")
                                    .containsEntry("row", 2);
                        });
    }
}
