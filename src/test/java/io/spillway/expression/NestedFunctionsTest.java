package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.BOOL;
import static io.spillway.expression.ExpressionTesting.LONG;
import static io.spillway.expression.ExpressionTesting.TEXT;
import static io.spillway.expression.ExpressionTesting.call;
import static io.spillway.expression.ExpressionTesting.column;
import static io.spillway.expression.ExpressionTesting.integers;
import static io.spillway.expression.ExpressionTesting.list;
import static io.spillway.expression.ExpressionTesting.literal;
import static io.spillway.expression.ExpressionTesting.over;
import static io.spillway.expression.ExpressionTesting.text;
import static io.spillway.expression.ExpressionTesting.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The functions that take lists and structs apart. */
class NestedFunctionsTest {

    private static final ColumnType NUMBERS = type("list<int64>");
    private static final ColumnType TEXTS = type("list<utf8>");
    private static final ColumnType PAIR = type("struct<x int64,y utf8>");

    private static final List<@Nullable Object> LISTS =
            list(integers(7L, 8L, 9L), null, integers(), integers(null, 7L));

    private static Expression element(long position) {
        return call(
                Function.ELEMENT_AT,
                LONG,
                column(0, NUMBERS),
                literal(LONG, BigInteger.valueOf(position)));
    }

    @Test
    void elementsAreCountedAndFound() {
        assertThat(over(NUMBERS, LISTS, call(Function.CARDINALITY, LONG, column(0, NUMBERS))))
                .isEqualTo(integers(3L, null, 0L, 2L));
        assertThat(over(NUMBERS, LISTS, element(1))).isEqualTo(integers(7L, null, null, null));
        assertThat(over(NUMBERS, LISTS, element(-1))).isEqualTo(integers(9L, null, null, 7L));
        assertThat(over(NUMBERS, LISTS, element(0))).isEqualTo(integers(null, null, null, null));
        assertThat(over(NUMBERS, LISTS, element(Long.MAX_VALUE)))
                .isEqualTo(integers(null, null, null, null));
        assertThat(over(NUMBERS, LISTS, element(Long.MIN_VALUE)))
                .isEqualTo(integers(null, null, null, null));
    }

    @Test
    void elementsAreCompared() {
        Expression seven = literal(LONG, BigInteger.valueOf(7));
        assertThat(
                        over(
                                NUMBERS,
                                LISTS,
                                call(Function.ARRAY_CONTAINS, BOOL, column(0, NUMBERS), seven)))
                .isEqualTo(list(true, null, false, true));
        assertThat(
                        over(
                                TEXTS,
                                list(list("a", null, "é"), list("b"), null, list()),
                                call(Function.ARRAY_CONTAINS, BOOL, column(0, TEXTS), text("é"))))
                .isEqualTo(list(true, false, null, false));
        assertThat(
                        over(
                                TEXTS,
                                list(list("a"), null),
                                call(Function.ARRAY_CONTAINS, BOOL, column(0, TEXTS), text(null))))
                .isEqualTo(list(null, null));
    }

    @Test
    void valuesOfAnyTypeBecomeFieldsOfStructs() {
        List<@Nullable Object> pairs = list(list(BigInteger.ONE, "a"), null, list(null, "c"));
        Expression inner =
                call(
                        Function.NAMED_STRUCT,
                        type("struct<S utf8,whole struct<x int64,y utf8>>"),
                        text("S"),
                        call(Function.STRUCT_EXTRACT, TEXT, column(0, PAIR), text("y")),
                        text("whole"),
                        column(0, PAIR));
        assertThat(
                        over(
                                PAIR,
                                pairs,
                                call(
                                        Function.NAMED_STRUCT,
                                        type(
                                                "struct<Item struct<S utf8,whole struct<x int64,y"
                                                        + " utf8>>,n int64>"),
                                        text("Item"),
                                        inner,
                                        text("n"),
                                        literal(LONG, BigInteger.TWO))))
                .isEqualTo(
                        list(
                                list(list("a", list(BigInteger.ONE, "a")), BigInteger.TWO),
                                list(list(null, null), BigInteger.TWO),
                                list(list("c", list(null, "c")), BigInteger.TWO)));
        assertThat(
                        over(
                                NUMBERS,
                                LISTS,
                                call(
                                        Function.NAMED_STRUCT,
                                        type("struct<l list<int64>>"),
                                        text("l"),
                                        column(0, NUMBERS))))
                .isEqualTo(
                        list(
                                list(integers(7L, 8L, 9L)),
                                list((Object) null),
                                list(integers()),
                                list(integers(null, 7L))));
    }

    @Test
    void fieldsAreNullWhereTheStructIs() {
        List<@Nullable Object> pairs = list(list(BigInteger.ONE, "a"), null, list(null, "c"));
        assertThat(
                        over(
                                PAIR,
                                pairs,
                                call(Function.STRUCT_EXTRACT, TEXT, column(0, PAIR), text("y"))))
                .isEqualTo(list("a", null, "c"));
        assertThat(
                        over(
                                PAIR,
                                pairs,
                                call(Function.STRUCT_EXTRACT, LONG, column(0, PAIR), text("x"))))
                .isEqualTo(integers(1L, null, null));
    }
}
