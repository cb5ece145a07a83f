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
import static io.spillway.expression.ExpressionTesting.raises;
import static io.spillway.expression.ExpressionTesting.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How expressions are evaluated: guards, dictionaries, ownership of what comes out. */
class EvaluationTest {

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void everythingIsFreed() {
        allocator.close();
    }

    private static Expression oneOver(Expression x) {
        return call(Function.DIVIDE, LONG, literal(LONG, 1), x);
    }

    private static Expression isNotZero(Expression x) {
        return call(Function.NOT_EQUAL, BOOL, x, literal(LONG, 0));
    }

    @Test
    void aConditionGuardsTheOnesBehindIt() {
        Expression x = column(0, LONG);
        Expression positive = call(Function.GREATER, BOOL, oneOver(x), literal(LONG, 0));
        List<@Nullable Object> values = integers(0L, 1L, -1L, null, 2L);
        assertThat(over(LONG, values, call(Function.AND, BOOL, isNotZero(x), positive)))
                .isEqualTo(list(false, true, false, null, false));
        Expression isZero = call(Function.EQUAL, BOOL, x, literal(LONG, 0));
        assertThat(over(LONG, values, call(Function.OR, BOOL, isZero, positive)))
                .isEqualTo(list(true, true, false, null, false));
        assertThatThrownBy(
                        () -> over(LONG, values, call(Function.AND, BOOL, positive, isNotZero(x))))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DIVISION_BY_ZERO));
    }

    @Test
    void aCaseGuardsItsBranchesAndConstantErrorsWaitForARow() {
        Expression x = column(0, LONG);
        Expression always = oneOver(literal(LONG, 0));
        Expression guarded =
                new Expression.Case(
                        List.of(
                                new Expression.Branch(isNotZero(x), oneOver(x)),
                                new Expression.Branch(
                                        call(Function.IS_NULL, BOOL, x), literal(LONG, -5)),
                                new Expression.Branch(
                                        call(Function.LESS, BOOL, x, literal(LONG, 0)), always)),
                        literal(LONG, null),
                        LONG);
        assertThat(over(LONG, integers(0L, 1L, null, -1L, 0L), guarded))
                .isEqualTo(integers(null, 1L, -5L, -1L, null));
        raises(ErrorCode.DIVISION_BY_ZERO, always);
    }

    @Test
    void aDeepConstantErrorCompilesInLittleTime() {
        Expression deep = oneOver(literal(LONG, 0));
        for (int i = 0; i < 200; i++) {
            deep = call(Function.ADD, LONG, deep, literal(LONG, 1));
        }
        raises(ErrorCode.DIVISION_BY_ZERO, deep);
        Expression never =
                new Expression.Case(
                        List.of(
                                new Expression.Branch(
                                        call(Function.IS_NULL, BOOL, column(0, LONG)), deep)),
                        column(0, LONG),
                        LONG);
        assertThat(over(LONG, integers(7L), never)).isEqualTo(integers(7L));
    }

    @Test
    void aConstantThatGrowsBeyondMeasureIsRefused() {
        Expression grown = text("a".repeat(1000));
        Expression longer = text("b".repeat(1000));
        for (int i = 0; i < 3; i++) {
            grown = call(Function.REPLACE, TEXT, grown, text(i % 2 == 0 ? "a" : "b"), longer);
        }
        raises(ErrorCode.MEMORY_LIMIT, grown);
    }

    @Test
    void aColumnComesOutAsItIs() {
        List<@Nullable Object> values = list("a", null, "b", "a");
        ColumnVector result;
        try (RecordBatch batch = encoded(TEXT, values, List.of("unused"));
                VectorExpression same =
                        ExpressionCompiler.compile(column(0, TEXT), batch.schema())) {
            long before = allocator.getAllocatedMemory();
            result = same.evaluate(batch, allocator);
            assertThat(allocator.getAllocatedMemory() - before).isLessThan(1024);
            assertThat(((ColumnVector.Encoded) result).dictionary())
                    .isSameAs(((ColumnVector.Encoded) batch.column(0)).dictionary());
        }
        try (result) {
            assertThat(TestValues.values(TEXT, result)).isEqualTo(values);
        }
    }

    @Test
    void aFunctionOfOneEncodedColumnStaysEncodedAndSharesItsDictionary() {
        Expression upper = call(Function.UPPER, TEXT, column(0, TEXT));
        List<@Nullable Object> values = list("a", null, "b", "a");
        try (RecordBatch batch = encoded(TEXT, values, List.of());
                RecordBatch part = batch.slice(1, 3);
                VectorExpression compiled = ExpressionCompiler.compile(upper, batch.schema());
                ColumnVector first = compiled.evaluate(batch, allocator);
                ColumnVector second = compiled.evaluate(part, allocator)) {
            assertThat(TestValues.values(TEXT, first)).isEqualTo(list("A", null, "B", "A"));
            assertThat(TestValues.values(TEXT, second)).isEqualTo(list(null, "B", "A"));
            assertThat(((ColumnVector.Encoded) first).dictionary())
                    .isSameAs(((ColumnVector.Encoded) second).dictionary());
        }
    }

    @Test
    @SuppressWarnings("try") // closing early is what is shown
    void aClosedExpressionHoldsNothingAndMayBeUsedAgain() {
        Expression upper = call(Function.UPPER, TEXT, column(0, TEXT));
        List<@Nullable Object> values = list("a", null);
        try (RecordBatch batch = encoded(TEXT, values, List.of());
                VectorExpression compiled = ExpressionCompiler.compile(upper, batch.schema())) {
            long before = allocator.getAllocatedMemory();
            for (int i = 0; i < 2; i++) {
                try (ColumnVector result = compiled.evaluate(batch, allocator)) {
                    assertThat(TestValues.values(TEXT, result)).isEqualTo(list("A", null));
                }
                assertThat(allocator.getAllocatedMemory()).isGreaterThan(before);
                compiled.close();
                assertThat(allocator.getAllocatedMemory()).isEqualTo(before);
            }
        }
    }

    @Test
    void entriesThatNoRowUsesRaiseNothing() {
        Expression number = new Expression.Cast(column(0, TEXT), LONG, false);
        Expression large = call(Function.GREATER, BOOL, number, literal(LONG, 1));
        List<@Nullable Object> values = list("1", "2", null, "2");
        try (RecordBatch batch = encoded(TEXT, values, List.of("no number"));
                VectorExpression compiled = ExpressionCompiler.compile(number, batch.schema());
                VectorPredicate predicate = ExpressionCompiler.predicate(large, batch.schema())) {
            for (int i = 0; i < 3; i++) {
                try (ColumnVector result = compiled.evaluate(batch, allocator)) {
                    assertThat(TestValues.values(LONG, result))
                            .isEqualTo(integers(1L, 2L, null, 2L));
                }
                assertThat(predicate.select(batch, allocator)).hasToString("[1, 3]");
            }
        }
    }

    @Test
    void entriesWhoseResultIsNullAndNullsWhoseResultIsNot() {
        Expression number = new Expression.Cast(column(0, TEXT), LONG, true);
        Expression orElse =
                new Expression.Case(
                        List.of(
                                new Expression.Branch(
                                        call(Function.IS_NULL, BOOL, column(0, TEXT)),
                                        text("none"))),
                        column(0, TEXT),
                        TEXT);
        List<@Nullable Object> values = list("1", "x", null, "1");
        try (RecordBatch batch = encoded(TEXT, values, List.of());
                VectorExpression a = ExpressionCompiler.compile(number, batch.schema());
                VectorExpression b = ExpressionCompiler.compile(orElse, batch.schema());
                ColumnVector x = a.evaluate(batch, allocator);
                ColumnVector y = b.evaluate(batch, allocator)) {
            assertThat(x).isInstanceOf(ColumnVector.Encoded.class);
            assertThat(y).isInstanceOf(ColumnVector.Encoded.class);
            assertThat(TestValues.values(LONG, x)).isEqualTo(integers(1L, null, null, 1L));
            assertThat(TestValues.values(TEXT, y)).isEqualTo(list("1", "x", "none", "1"));
        }
    }

    @Test
    void aLargeDictionaryIsUsedOnceItPays() {
        List<Object> unused = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            unused.add("unused " + i);
        }
        Expression upper = call(Function.UPPER, TEXT, column(0, TEXT));
        try (RecordBatch batch = encoded(TEXT, list("a", "b"), unused);
                VectorExpression compiled = ExpressionCompiler.compile(upper, batch.schema())) {
            int encodedResults = 0;
            for (int i = 0; i < 60; i++) {
                try (ColumnVector result = compiled.evaluate(batch, allocator)) {
                    assertThat(TestValues.values(TEXT, result)).isEqualTo(list("A", "B"));
                    encodedResults += result instanceof ColumnVector.Encoded ? 1 : 0;
                }
            }
            assertThat(encodedResults).isBetween(5, 15);
        }
    }

    @Test
    void predicatesOverManyBlocksSelectInOrder() {
        List<@Nullable Object> values = new ArrayList<>();
        for (long i = 0; i < 5000; i++) {
            values.add(i % 11 == 0 ? null : BigInteger.valueOf(i));
        }
        Expression x = column(0, LONG);
        Expression wanted =
                call(
                        Function.AND,
                        BOOL,
                        call(Function.GREATER_OR_EQUAL, BOOL, x, literal(LONG, 4000)),
                        isNotZero(x),
                        call(
                                Function.EQUAL,
                                BOOL,
                                call(Function.REMAINDER, LONG, x, literal(LONG, 7)),
                                literal(LONG, 3)));
        try (RecordBatch batch =
                        new RecordBatch(
                                TestValues.schema(LONG),
                                List.of(TestValues.plain(LONG, values, allocator)),
                                5000);
                VectorPredicate predicate = ExpressionCompiler.predicate(wanted, batch.schema())) {
            Selection selection = predicate.select(batch, allocator);
            List<Integer> expected = new ArrayList<>();
            for (int i = 4000; i < 5000; i++) {
                if (i % 11 != 0 && i % 7 == 3) {
                    expected.add(i);
                }
            }
            assertThat(selection).hasToString(expected.toString());
        }
    }

    @Test
    void nothingIsHeldAfterAnErrorAndBatchesMayBeEmpty() {
        Expression x = column(0, LONG);
        RowSchema schema = TestValues.schema(LONG);
        Expression both = call(Function.ADD, LONG, call(Function.MULTIPLY, LONG, x, x), oneOver(x));
        try (RecordBatch batch =
                        new RecordBatch(
                                schema,
                                List.of(TestValues.plain(LONG, integers(5L, 0L), allocator)),
                                2);
                RecordBatch empty = batch.slice(0, 0);
                VectorExpression compiled = ExpressionCompiler.compile(both, schema)) {
            long before = allocator.getAllocatedMemory();
            assertThatThrownBy(() -> compiled.evaluate(batch, allocator))
                    .isInstanceOf(SpillwayException.class);
            assertThat(allocator.getAllocatedMemory()).isEqualTo(before);
            try (ColumnVector nothing = compiled.evaluate(empty, allocator)) {
                assertThat(nothing.size()).isZero();
            }
        }
    }

    @Test
    void expressionsThatDoNotFitTheSchemaAreRefused() {
        RowSchema schema = TestValues.schema(LONG);
        assertThatThrownBy(() -> ExpressionCompiler.compile(column(1, LONG), schema))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_EXPRESSION));
        assertThatThrownBy(() -> ExpressionCompiler.predicate(column(0, LONG), schema))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH));
    }

    private RecordBatch encoded(
            ColumnType type, List<@Nullable Object> values, List<Object> unused) {
        return new RecordBatch(
                TestValues.schema(type),
                List.of(TestValues.encoded(type, values, unused, new Random(1), allocator)),
                values.size());
    }
}
