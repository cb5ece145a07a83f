package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.DOUBLE;
import static io.spillway.expression.ExpressionTesting.INT;
import static io.spillway.expression.ExpressionTesting.LONG;
import static io.spillway.expression.ExpressionTesting.call;
import static io.spillway.expression.ExpressionTesting.column;
import static io.spillway.expression.ExpressionTesting.constant;
import static io.spillway.expression.ExpressionTesting.integer;
import static io.spillway.expression.ExpressionTesting.integers;
import static io.spillway.expression.ExpressionTesting.list;
import static io.spillway.expression.ExpressionTesting.literal;
import static io.spillway.expression.ExpressionTesting.over;
import static io.spillway.expression.ExpressionTesting.raises;
import static io.spillway.expression.ExpressionTesting.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArithmeticTest {

    private static Expression binary(Function function, String type, Object x, Object y) {
        ColumnType t = type(type);
        return call(function, t, literal(t, x), literal(t, y));
    }

    @ParameterizedTest
    @CsvSource({
        "ADD, int64, 9223372036854775807, 1",
        "ADD, int32, 2147483647, 1",
        "ADD, uint8, 200, 56",
        "ADD, uint64, 18446744073709551615, 1",
        "SUBTRACT, int64, -9223372036854775808, 1",
        "SUBTRACT, uint64, 0, 1",
        "SUBTRACT, uint16, 1, 2",
        "MULTIPLY, int64, 4611686018427387904, 2",
        "MULTIPLY, int64, -9223372036854775808, -1",
        "MULTIPLY, uint64, 4294967296, 4294967296",
        "MULTIPLY, int16, 256, 128",
        "DIVIDE, int64, -9223372036854775808, -1",
        "DIVIDE, int32, -2147483648, -1",
        "DIVIDE, int8, -128, -1",
        "'ADD', 'decimal(38,0)', 99999999999999999999999999999999999999, 1",
        "'MULTIPLY', 'decimal(38,2)', 999999999999999999999999999999999999.99, 1.02",
        "'SUBTRACT', 'decimal(4,2)', -99.99, 0.01"
    })
    void aResultThatDoesNotFitIsAnErrorAndNeverWraps(
            Function function, String type, String x, String y) {
        raises(ErrorCode.ARITHMETIC_OVERFLOW, binary(function, type, x, y));
    }

    @ParameterizedTest
    @CsvSource({
        "ADD, int64, 9223372036854775806, 1, 9223372036854775807",
        "ADD, uint64, 18446744073709551614, 1, 18446744073709551615",
        "MULTIPLY, int64, -4611686018427387904, 2, -9223372036854775808",
        "DIVIDE, int64, -7, 2, -3",
        "REMAINDER, int64, -7, 2, -1",
        "REMAINDER, int64, -9223372036854775808, -1, 0",
        "DIVIDE, uint64, 18446744073709551615, 2, 9223372036854775807",
        "REMAINDER, uint64, 18446744073709551615, 10, 5",
        "DIVIDE, float64, 1, 0, Infinity",
        "DIVIDE, float64, 0, 0, NaN",
        "REMAINDER, float64, -5.5, 2, -1.5",
        "ADD, float32, 0.1, 0.2, 0.30000001192092896",
        "'DIVIDE', 'decimal(10,2)', 1.00, 3.00, 0.33",
        "'DIVIDE', 'decimal(10,2)', -0.01, 2.00, -0.01",
        "'MULTIPLY', 'decimal(10,2)', 0.05, 0.10, 0.01",
        "'MULTIPLY', 'decimal(10,2)', 0.05, 0.09, 0.00",
        "'REMAINDER', 'decimal(10,2)', -7.50, 2.00, -1.50",
        "'ADD', 'decimal(38,2)', 999999999999999999999999999999999999.98, 0.01,"
                + " 999999999999999999999999999999999999.99"
    })
    void resultsAtTheEdgeAreExact(
            Function function, String type, String x, String y, String expected) {
        assertThat(constant(binary(function, type, x, y))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"int32, 0", "int64, 0", "uint64, 0", "uint8, 0", "'decimal(10,2)', 0.00"})
    void divisionByZeroIsAnErrorForExactNumbers(String type, String zero) {
        raises(ErrorCode.DIVISION_BY_ZERO, binary(Function.DIVIDE, type, "1", zero));
        raises(ErrorCode.DIVISION_BY_ZERO, binary(Function.REMAINDER, type, "1", zero));
    }

    @Test
    void sumsOfDecimalsWhoseScaledTermsAreBeyond128BitsAreStillExact() {
        ColumnType wide = type("decimal(38,0)");
        ColumnType fine = type("decimal(38,38)");
        // Scaled to 38 digits the left side has 76; the sum is rounded to whole numbers.
        assertThat(
                        constant(
                                call(
                                        Function.ADD,
                                        wide,
                                        literal(wide, "12345678901234567890123456789012345678"),
                                        literal(fine, "0.5"))))
                .isEqualTo("12345678901234567890123456789012345679");
    }

    @Test
    void nullRowsNeverRaiseWhateverTheirMemoryHolds() {
        // The null's slot of the left column holds 0, of the sum below a value near the edge.
        Expression half = call(Function.DIVIDE, LONG, literal(LONG, 10), column(0, LONG));
        assertThat(over(LONG, integers(5L, null, 2L), half)).isEqualTo(integers(2L, null, 5L));
    }

    @Test
    void anOverflowInALaterBlockIsFound() {
        List<@Nullable Object> values = new ArrayList<>(integers(new Long[3000]));
        Expression next = call(Function.ADD, INT, column(0, INT), integer(1));
        values.set(2999, BigInteger.valueOf(Integer.MAX_VALUE - 1));
        assertThat(over(INT, values, next).get(2999))
                .isEqualTo(BigInteger.valueOf(Integer.MAX_VALUE));
        values.set(2998, BigInteger.valueOf(Integer.MAX_VALUE));
        assertThatThrownBy(() -> over(INT, values, next))
                .isInstanceOf(SpillwayException.class)
                .hasMessage("2147483647 + 1 does not fit int32");
    }

    @ParameterizedTest
    @CsvSource({
        "float64, 2.5, 0, 3.0",
        "float64, -2.5, 0, -3.0",
        "float64, 0.49999999999999994, 0, 0.0",
        "float64, 1234.567, 1, 1234.6",
        "float64, 1250.0, -2, 1300.0",
        "float64, 1e300, 20, 1.0E300",
        "float64, NaN, 2, NaN",
        "float64, Infinity, -2, Infinity",
        "int64, 25, -1, 30",
        "int64, -25, -1, -30",
        "int64, 24, -1, 20",
        "int64, 9223372036854775807, 3, 9223372036854775807",
        "int64, 4999999999999999999, -19, 0",
        "uint64, 15, -1, 20",
        "uint64, 18446744073709551615, -20, 0",
        "'decimal(10,2)', 2.35, 1, 2.40",
        "'decimal(10,2)', -2.35, 1, -2.40",
        "'decimal(10,2)', 55.00, -2, 100.00",
        "'decimal(10,2)', 55.00, -2147483648, 0.00",
        "'decimal(10,2)', 55.01, 2147483647, 55.01"
    })
    void roundsHalfAwayFromZero(String type, String value, int digits, String expected) {
        ColumnType t = type(type);
        assertThat(constant(call(Function.ROUND, t, literal(t, value), integer(digits))))
                .isEqualTo(expected);
    }

    @Test
    void roundingUpOutOfTheTypeIsAnOverflow() {
        ColumnType uint64 = type("uint64");
        raises(
                ErrorCode.ARITHMETIC_OVERFLOW,
                call(Function.ROUND, LONG, literal(LONG, Long.MAX_VALUE), integer(-1)));
        raises(
                ErrorCode.ARITHMETIC_OVERFLOW,
                call(Function.ROUND, LONG, literal(LONG, Long.MIN_VALUE), integer(-19)));
        raises(
                ErrorCode.ARITHMETIC_OVERFLOW,
                call(Function.ROUND, uint64, literal(uint64, "18446744073709551615"), integer(-1)));
        raises(ErrorCode.ARITHMETIC_OVERFLOW, call(Function.NEGATE, uint64, literal(uint64, "1")));
        raises(
                ErrorCode.ARITHMETIC_OVERFLOW,
                call(Function.ABS, LONG, literal(LONG, Long.MIN_VALUE)));
    }

    @Test
    void wholeNumbersBelowAndAbove() {
        ColumnType money = type("decimal(10,2)");
        ColumnType whole = type("decimal(9,0)");
        assertThat(constant(call(Function.FLOOR, whole, literal(money, "-0.01")))).isEqualTo("-1");
        assertThat(constant(call(Function.CEIL, whole, literal(money, "-0.99")))).isEqualTo("0");
        assertThat(constant(call(Function.CEIL, whole, literal(money, "7.01")))).isEqualTo("8");
        ColumnType wide = type("decimal(38,20)");
        ColumnType wholeWide = type("decimal(38,0)");
        assertThat(
                        constant(
                                call(
                                        Function.FLOOR,
                                        wholeWide,
                                        literal(wide, "-123456789012345678.00000000000000000001"))))
                .isEqualTo("-123456789012345679");
    }

    @Test
    void floatFunctionsFollowIeee754() {
        Expression x = column(0, DOUBLE);
        assertThat(
                        over(
                                DOUBLE,
                                list(-1.0, 4.0, 0.0, Double.NaN, null),
                                call(Function.SQRT, DOUBLE, x)))
                .isEqualTo(list(Double.NaN, 2.0, 0.0, Double.NaN, null));
        assertThat(over(DOUBLE, list(0.0, -1.0, 1.0), call(Function.LN, DOUBLE, x)))
                .isEqualTo(list(Double.NEGATIVE_INFINITY, Double.NaN, 0.0));
        assertThat(
                        over(
                                DOUBLE,
                                list(1.0, 2.0, -1.0),
                                call(
                                        Function.POWER,
                                        DOUBLE,
                                        x,
                                        literal(DOUBLE, Double.POSITIVE_INFINITY))))
                .isEqualTo(list(1.0, Double.POSITIVE_INFINITY, 1.0));
        assertThat(over(DOUBLE, list(1.0), call(Function.POWER, DOUBLE, x, literal(DOUBLE, "NaN"))))
                .isEqualTo(list(1.0));
        assertThat(over(DOUBLE, list(-0.0), call(Function.NEGATE, DOUBLE, x))).isEqualTo(list(0.0));
    }
}
