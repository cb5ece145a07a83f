package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.INT;
import static io.spillway.expression.ExpressionTesting.LONG;
import static io.spillway.expression.ExpressionTesting.TEXT;
import static io.spillway.expression.ExpressionTesting.cast;
import static io.spillway.expression.ExpressionTesting.column;
import static io.spillway.expression.ExpressionTesting.constant;
import static io.spillway.expression.ExpressionTesting.list;
import static io.spillway.expression.ExpressionTesting.literal;
import static io.spillway.expression.ExpressionTesting.over;
import static io.spillway.expression.ExpressionTesting.raises;
import static io.spillway.expression.ExpressionTesting.text;
import static io.spillway.expression.ExpressionTesting.tryCast;
import static io.spillway.expression.ExpressionTesting.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CastTest {

    @ParameterizedTest
    @CsvSource({
        "int64, 127, int8, 127",
        "int64, -128, int8, -128",
        "uint64, 9223372036854775807, int64, 9223372036854775807",
        "int64, 9223372036854775807, uint64, 9223372036854775807",
        "float64, 2.5, int32, 2",
        "float64, 3.5, int32, 4",
        "float64, -2.5, int32, -2",
        "float64, -0.5, uint8, 0",
        "float64, 9223372036854774784, int64, 9223372036854774784",
        "float64, -9223372036854775808, int64, -9223372036854775808",
        "float64, 18446744073709549568, uint64, 18446744073709549568",
        "uint64, 18446744073709551615, float64, 1.8446744073709552E19",
        "int64, 9007199254740993, float64, 9.007199254740992E15",
        "int64, 16777217, float32, 1.6777216E7",
        "'decimal(10,2)', 2.50, int32, 3",
        "'decimal(10,2)', -2.50, int32, -3",
        "'decimal(10,2)', 2.49, int32, 2",
        "'decimal(38,19)', 9223372036854775806.5, int64, 9223372036854775807",
        "'decimal(10,2)', 2.35, 'decimal(10,1)', 2.4",
        "'decimal(10,2)', -2.35, 'decimal(10,1)', -2.4",
        "'decimal(38,30)', 12345678.500000000000000000000000000001, 'decimal(8,0)', 12345679",
        "'decimal(10,2)', 2.35, 'decimal(38,20)', 2.35000000000000000000",
        "'decimal(10,2)', 0.10, float64, 0.1",
        "'decimal(38,30)', 0.100000000000000000000000000000, float64, 0.1",
        "float64, 0.1, 'decimal(38,20)', 0.10000000000000000555",
        "float64, 1.005, 'decimal(5,2)', 1.00",
        "float64, 0.125, 'decimal(5,2)', 0.13",
        "float64, -0.125, 'decimal(5,2)', -0.13",
        "float64, 1e30, 'decimal(38,2)', 1000000000000000019884624838656.00",
        "uint64, 18446744073709551615, 'decimal(20,0)', 18446744073709551615",
        "bool, true, int8, 1",
        "bool, true, 'decimal(3,1)', 1.0",
        "int64, 7, bool, true",
        "float64, 0, bool, false",
        "float64, NaN, bool, true",
        "'decimal(10,2)', 0.00, bool, false",
        "float64, 1e300, float64, 1.0E300",
        "float64, NaN, float32, NaN",
        "float64, -Infinity, float32, -Infinity",
        "float64, 65504, float16, 65504.0",
        "binary, 0a0b, 'binary(2)', 0a0b",
        "'binary(2)', 0a0b, binary, 0a0b"
    })
    void convertsNumbers(String from, String value, String to, String expected) {
        assertThat(cast(from, value, to)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "int64, 128, int8",
        "int64, -1, uint64",
        "int64, -1, uint8",
        "uint64, 9223372036854775808, int64",
        "uint64, 18446744073709551615, int8",
        "float64, 9223372036854775808, int64",
        "float64, 18446744073709551616, uint64",
        "float64, -0.51, uint8",
        "float64, NaN, int64",
        "float64, Infinity, int64",
        "float64, NaN, 'decimal(38,2)'",
        "float64, 1e37, 'decimal(38,2)'",
        "float64, 1e300, float32",
        "float64, 65520, float16",
        "'decimal(38,0)', 99999999999999999999999999999999999999, int64",
        "'decimal(10,2)', 99999999.99, 'decimal(9,1)'",
        "'decimal(38,0)', 99999999999999999999999999999999999999, 'decimal(38,1)'",
        "int64, 1000, 'decimal(5,2)'",
        "utf8, '', int32",
        "utf8, 1.5, int32",
        "utf8, 1x, int32",
        "utf8, +, int32",
        "utf8, 2147483648, int32",
        "utf8, 18446744073709551616, uint64",
        "utf8, 99999999999999999999999, int64",
        "utf8, -1, uint8",
        "utf8, 1d, float64",
        "utf8, 0x10, float64",
        "utf8, 1e, float64",
        "utf8, ., float64",
        "utf8, 1e400, float64",
        "utf8, 1e40, float32",
        "utf8, maybe, bool",
        "utf8, 100, 'decimal(4,2)'",
        "utf8, 1e999999999, 'decimal(38,0)'",
        "utf8, 1e99999999999999999999, 'decimal(38,0)'",
        "utf8, 2023-02-29, date",
        "utf8, 2023-13-01, date",
        "utf8, 23-01-01, date",
        "utf8, 2023-01-01x, date",
        "utf8, 24:00:00, time(us)",
        "utf8, 2023-01-01 10, timestamp(us)",
        "utf8, 2023-01-01 10:00:60, timestamp(us)",
        "utf8, 2300-01-01, timestamp(ns)",
        "binary, 0a0b0c, 'binary(2)'",
        "timestamp(s), 9223372036854775807, timestamp(ms)",
        "timestamp(s), 9223372036854775807, date",
        "date, 2147483647, timestamp(ns)"
    })
    void whatCannotBeConvertedIsAnErrorOrNull(String from, String value, String to) {
        raises(ErrorCode.INVALID_CAST, cast(literal(type(from), value), type(to)));
        assertThat(constant(tryCast(literal(type(from), value), type(to)))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "' 42 ', int32, 42",
        "+42, int32, 42",
        "-2147483648, int32, -2147483648",
        "-9223372036854775808, int64, -9223372036854775808",
        "18446744073709551615, uint64, 18446744073709551615",
        "-0, uint64, 0",
        "000000000000000000000000012, int8, 12",
        "1.5, float64, 1.5",
        ".5, float64, 0.5",
        "5., float64, 5.0",
        "-1e-3, float64, -0.001",
        "1E22, float64, 1.0E22",
        "123456789012345678901234567890, float64, 1.2345678901234568E29",
        "1e23, float64, 1.0E23",
        "0.1, float32, 0.10000000149011612",
        "nan, float64, NaN",
        "-Infinity, float64, -Infinity",
        "inf, float64, Infinity",
        "TRUE, bool, true",
        "no, bool, false",
        "1.005, 'decimal(5,2)', 1.01",
        "-1.005, 'decimal(5,2)', -1.01",
        "1.00499999999999999999999999999999999999999999999, 'decimal(5,2)', 1.00",
        "1e2, 'decimal(5,2)', 100.00",
        "12345e-3, 'decimal(5,2)', 12.35",
        "1e-999999999, 'decimal(5,2)', 0.00",
        "0e999999999, 'decimal(5,2)', 0.00",
        ".5, 'decimal(3,0)', 1",
        "99999999999999999999999999999999999999, 'decimal(38,0)',"
                + " 99999999999999999999999999999999999999",
        "1970-01-01, date, 0",
        "1969-12-31, date, -1",
        "0001-01-01, date, -719162",
        "9999-12-31, date, 2932896",
        "-0001-03-01, date, -719834",
        "00:00:00, time(ms), 0",
        "23:59:59.999999999, time(ns), 86399999999999",
        "23:59:59.9999, time(ms), 86399999",
        "07:05, time(us), 25500000000",
        "1970-01-01 00:00:00.000001, timestamp(us), 1",
        "1969-12-31T23:59:59.5, timestamp(ms), -500",
        "1970-01-01T01:00:00+01:00, 'timestamp(s,UTC)', 0",
        "1970-01-01T01:00:00-0130, timestamp(s), 9000",
        "1970-01-01T01:00:00Z, timestamp(s), 3600",
        "2026-03-08, timestamp(s), 1772928000",
        "1677-09-21T00:12:43.145224192, timestamp(ns), -9223372036854775808",
        "2262-04-11T23:47:16.854775807, timestamp(ns), 9223372036854775807"
    })
    void readsText(String value, String to, String expected) {
        assertThat(cast("utf8", value, to)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "int8, -128, -128",
        "int64, -9223372036854775808, -9223372036854775808",
        "uint64, 18446744073709551615, 18446744073709551615",
        "bool, false, false",
        "'decimal(38,18)', 0, 0.000000000000000000",
        "'decimal(10,2)', 2500, 2500.00",
        "'decimal(10,2)', -0.01, -0.01",
        "'decimal(9,9)', 0.000000001, 0.000000001",
        "'decimal(38,0)', -99999999999999999999999999999999999999,"
                + " -99999999999999999999999999999999999999",
        "float64, 1, 1.0",
        "float64, -0.0, -0.0",
        "float64, 0.1, 0.1",
        "float32, 0.1, 0.1",
        "float64, 123456.789, 123456.789",
        "float64, 1e15, 1000000000000000.0",
        "float64, 1e16, 1e+16",
        "float64, 1.5e300, 1.5e+300",
        "float64, 0.0001, 0.0001",
        "float64, 0.00001, 1e-05",
        "float64, 1.234e-7, 1.234e-07",
        "float64, 4.9e-324, 4.9e-324",
        "float64, NaN, NaN",
        "float64, -Infinity, -Infinity",
        "date, 0, 1970-01-01",
        "date, -719162, 0001-01-01",
        "date, -719529, -0001-12-31",
        "date, 2932897, 10000-01-01",
        "time(ms), 86399999, 23:59:59.999",
        "time(us), 1, 00:00:00.000001",
        "timestamp(s), 0, 1970-01-01 00:00:00",
        "timestamp(ms), -1, 1969-12-31 23:59:59.999",
        "'timestamp(ns,UTC)', 1500000000, 1970-01-01 00:00:01.5+00",
        "timestamp(ns), -9223372036854775808, 1677-09-21 00:12:43.145224192"
    })
    void writesText(String from, String value, String expected) {
        assertThat(cast(from, value, "utf8")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "date, -1, timestamp(us), -86400000000",
        "timestamp(us), -1, date, -1",
        "timestamp(us), 86399999999, date, 0",
        "timestamp(ns), -1, timestamp(us), -1",
        "timestamp(s), -1, timestamp(ns), -1000000000",
        "timestamp(us), -1, time(us), 86399999999",
        "timestamp(ns), 1999999, time(ms), 1",
        "timestamp(s), 1, time(ns), 1000000000",
        "time(ms), 1, time(ns), 1000000",
        "time(ns), 1999999, time(ms), 1",
        "timestamp(us), 5, 'timestamp(us,UTC)', 5",
        "'timestamp(ms,UTC)', 5, timestamp(us), 5000"
    })
    void datesAndTimesAreNeverShiftedAndRoundDown(
            String from, String value, String to, String expected) {
        assertThat(cast(from, value, to)).isEqualTo(expected);
    }

    @Test
    void everyPairOfTypesEitherConvertsOrIsRefusedWhenCompiled() {
        List<String> names =
                List.of(
                        "bool",
                        "int8",
                        "uint16",
                        "int64",
                        "uint64",
                        "float16",
                        "float32",
                        "float64",
                        "decimal(10,2)",
                        "decimal(38,10)",
                        "utf8",
                        "binary",
                        "binary(2)",
                        "date",
                        "time(ms)",
                        "time(ns)",
                        "timestamp(s)",
                        "timestamp(us,UTC)");
        for (String from : names) {
            for (String to : names) {
                try {
                    assertThat(cast(from, null, to)).isNull();
                } catch (SpillwayException e) {
                    assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
                }
            }
        }
        raises(ErrorCode.TYPE_MISMATCH, cast(text("a"), type("binary")));
        raises(ErrorCode.TYPE_MISMATCH, cast(literal(LONG, 1), type("date")));
    }

    @Test
    void tryCastGivesNullForSomeRowsOfManyBlocks() {
        List<@Nullable Object> values = new ArrayList<>();
        List<@Nullable Object> expected = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            boolean tooLarge = i % 7 == 0;
            values.add(tooLarge ? BigInteger.ONE.shiftLeft(40) : BigInteger.valueOf(i));
            expected.add(tooLarge ? null : BigInteger.valueOf(i));
        }
        assertThat(over(LONG, values, tryCast(column(0, LONG), INT))).isEqualTo(expected);
    }

    @Test
    void anErrorShowsTheValueButNotAllOfALongOne() {
        Expression number = cast(column(0, TEXT), INT);
        assertThatThrownBy(() -> over(TEXT, list("1", "12a"), number))
                .hasMessage("'12a' of type utf8 cannot be converted to int32");
        assertThatThrownBy(() -> over(TEXT, list("x".repeat(10_000)), number))
                .message()
                .hasSizeLessThan(200);
        assertThatThrownBy(
                        () ->
                                over(
                                        type("timestamp(s)"),
                                        list(Long.MAX_VALUE),
                                        cast(column(0, type("timestamp(s)")), type("date"))))
                .isInstanceOf(SpillwayException.class);
    }
}
