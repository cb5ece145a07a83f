package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.BOOL;
import static io.spillway.expression.ExpressionTesting.DOUBLE;
import static io.spillway.expression.ExpressionTesting.INT;
import static io.spillway.expression.ExpressionTesting.TEXT;
import static io.spillway.expression.ExpressionTesting.call;
import static io.spillway.expression.ExpressionTesting.column;
import static io.spillway.expression.ExpressionTesting.constant;
import static io.spillway.expression.ExpressionTesting.list;
import static io.spillway.expression.ExpressionTesting.literal;
import static io.spillway.expression.ExpressionTesting.over;
import static io.spillway.expression.ExpressionTesting.text;
import static io.spillway.expression.ExpressionTesting.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    @Test
    void nanEqualsItselfAndIsGreaterThanEverything() {
        List<@Nullable Object> values =
                list(Double.NaN, Double.POSITIVE_INFINITY, 1.0, -0.0, 0.0, null);
        Expression x = column(0, DOUBLE);
        assertThat(over(DOUBLE, values, call(Function.EQUAL, BOOL, x, literal(DOUBLE, "NaN"))))
                .isEqualTo(list(true, false, false, false, false, null));
        assertThat(over(DOUBLE, values, call(Function.LESS, BOOL, x, literal(DOUBLE, "NaN"))))
                .isEqualTo(list(false, true, true, true, true, null));
        assertThat(
                        over(
                                DOUBLE,
                                values,
                                call(Function.GREATER, BOOL, x, literal(DOUBLE, "Infinity"))))
                .isEqualTo(list(true, false, false, false, false, null));
        assertThat(over(DOUBLE, values, call(Function.EQUAL, BOOL, literal(DOUBLE, "-0.0"), x)))
                .isEqualTo(list(false, false, false, true, true, null));
        assertThat(over(DOUBLE, values, call(Function.EQUAL, BOOL, x, x)))
                .isEqualTo(list(true, true, true, true, true, null));
    }

    @Test
    void notGreaterIsLessOrEqualEvenForNan() {
        List<@Nullable Object> values = list(Double.NaN, 7.25, 1.0, null);
        Expression greater = call(Function.GREATER, BOOL, column(0, DOUBLE), literal(DOUBLE, 5));
        Expression lessOrEqual =
                call(Function.LESS_OR_EQUAL, BOOL, column(0, DOUBLE), literal(DOUBLE, 5));
        assertThat(over(DOUBLE, values, call(Function.NOT, BOOL, greater)))
                .isEqualTo(over(DOUBLE, values, lessOrEqual));
    }

    @Test
    void textComparesByUnsignedBytes() {
        // By UTF-16 units U+FF21 would come after U+1F600.
        List<@Nullable Object> values = list("", "a", "é", "\uFF21", "😀", null);
        assertThat(over(TEXT, values, call(Function.LESS, BOOL, column(0, TEXT), text("😀"))))
                .isEqualTo(list(true, true, true, true, false, null));
        assertThat(
                        over(
                                TEXT,
                                values,
                                call(Function.GREATER_OR_EQUAL, BOOL, column(0, TEXT), text("a"))))
                .isEqualTo(list(false, true, true, true, true, null));
    }

    @Test
    void decimalsOfDifferentScalesCompareExactly() {
        ColumnType coarse = type("decimal(38,0)");
        ColumnType fine = type("decimal(38,37)");
        Expression huge = literal(coarse, "99999999999999999999999999999999999999");
        Expression nine = literal(fine, "9.9999999999999999999999999999999999999");
        assertThat(constant(call(Function.GREATER, BOOL, huge, nine))).isEqualTo("true");
        Expression minus = call(Function.NEGATE, coarse, huge);
        assertThat(constant(call(Function.LESS, BOOL, minus, nine))).isEqualTo("true");
        List<@Nullable Object> ones = list("1", "2", "-1", "0", null);
        assertThat(
                        over(
                                coarse,
                                ones,
                                call(
                                        Function.GREATER,
                                        BOOL,
                                        column(0, coarse),
                                        literal(fine, "1.0000000000000000000000000000000000001"))))
                .isEqualTo(list(false, true, false, false, null));
        assertThat(
                        over(
                                coarse,
                                ones,
                                call(
                                        Function.EQUAL,
                                        BOOL,
                                        column(0, coarse),
                                        literal(type("decimal(3,2)"), "1.00"))))
                .isEqualTo(list(true, false, false, false, null));
    }

    @Test
    void unsignedNumbersCompareAsSuch() {
        ColumnType uint64 = type("uint64");
        assertThat(
                        over(
                                uint64,
                                list("18446744073709551615", "0", "9223372036854775808"),
                                call(
                                        Function.GREATER,
                                        BOOL,
                                        column(0, uint64),
                                        literal(uint64, "9223372036854775807"))))
                .isEqualTo(list(true, false, true));
    }

    @Test
    void comparisonWithNullIsUnknownAndDistinctIsNot() {
        List<@Nullable Object> values = list(1, null);
        Expression x = column(0, INT);
        Expression nothing = literal(INT, null);
        assertThat(over(INT, values, call(Function.EQUAL, BOOL, x, nothing)))
                .isEqualTo(list(null, null));
        assertThat(over(INT, values, call(Function.IS_NOT_DISTINCT_FROM, BOOL, x, nothing)))
                .isEqualTo(list(false, true));
        assertThat(over(INT, values, call(Function.IS_DISTINCT_FROM, BOOL, x, nothing)))
                .isEqualTo(list(true, false));
    }

    @Test
    void membershipInLongListsOfEveryKind() {
        for (String name : List.of("int32", "uint64", "float64", "decimal(20,2)", "utf8")) {
            ColumnType type = type(name);
            List<Expression.Literal> values = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                values.add(literal(type, Integer.toString(3 * i)));
            }
            assertThat(
                            over(
                                    type,
                                    list("0", "1", "59997", "59998", "60000", null),
                                    new Expression.In(column(0, type), values)))
                    .as(name)
                    .isEqualTo(list(true, false, true, false, false, null));
        }
    }

    @Test
    void membershipFollowsEqualityOfFloatsAndNothingIsInAnEmptyList() {
        Expression.In in =
                new Expression.In(
                        column(0, DOUBLE), List.of(literal(DOUBLE, "NaN"), literal(DOUBLE, "0")));
        assertThat(over(DOUBLE, list(Double.NaN, -0.0, 1.0, null), in))
                .isEqualTo(list(true, true, false, null));
        assertThat(over(DOUBLE, list(1.0, null), new Expression.In(column(0, DOUBLE), List.of())))
                .isEqualTo(list(false, null));
    }
}
