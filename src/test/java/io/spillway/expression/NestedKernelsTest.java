package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.BOOL;
import static io.spillway.expression.ExpressionTesting.call;
import static io.spillway.expression.ExpressionTesting.column;
import static io.spillway.expression.ExpressionTesting.list;
import static io.spillway.expression.ExpressionTesting.over;
import static io.spillway.expression.ExpressionTesting.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.testing.NestedValues;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists, structs and maps: taken by row, put together, tested for null. */
class NestedKernelsTest {

    private static final List<ColumnType> LEAVES = GatherTest.everyType().toList();

    private final Random random = new Random(11);

    private static ColumnVector vector(
            ColumnType type,
            List<@Nullable Object> values,
            Random random,
            BufferAllocator allocator) {
        NestedValues.Hidden hidden = new NestedValues.Hidden(random, RandomValues::value);
        return TestValues.nested(type, values, random.nextBoolean() ? hidden : null, allocator);
    }

    private static List<@Nullable Object> values(ColumnType type, int rows, Random random) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(random.nextInt(4) == 0 ? null : RandomValues.value(type, random));
        }
        return values;
    }

    @Property(tries = 150)
    void gatherTakesTheSelectedRows(@ForAll long seed) {
        Random random = new Random(seed);
        ColumnType type = NestedValues.type(LEAVES, 3, random);
        RowSchema schema = TestValues.schema(type);
        List<@Nullable Object> values = values(type, random.nextInt(150), random);
        try (BufferAllocator allocator = new RootAllocator()) {
            RecordBatch batch =
                    new RecordBatch(
                            schema,
                            List.of(vector(type, values, random, allocator)),
                            values.size());
            // What was taken is taken from, and cut, again.
            for (int round = 0; round < 3; round++) {
                int rarity = 1 + random.nextInt(4);
                int[] rows = random.ints(values.size(), 0, rarity).toArray();
                List<@Nullable Object> expected = new ArrayList<>();
                List<Integer> selected = new ArrayList<>();
                for (int i = 0; i < rows.length; i++) {
                    if (rows[i] == 0) {
                        selected.add(i);
                        expected.add(values.get(i));
                    }
                }
                Selection selection = Selection.of(selected.stream().mapToInt(i -> i).toArray());
                try (RecordBatch from = batch) {
                    batch = Gather.gather(from, selection, allocator);
                }
                assertThat(TestValues.values(type, batch.column(0))).isEqualTo(expected);
                int cut = random.nextInt(1 + expected.size() / 4);
                try (RecordBatch from = batch) {
                    batch = from.slice(cut, expected.size() - cut);
                }
                values = expected.subList(cut, expected.size());
                assertThat(TestValues.values(type, batch.column(0))).isEqualTo(values);
            }
            batch.close();
        }
    }

    @Property(tries = 100)
    void positionsInAnyOrderAndNullsAreTaken(@ForAll long seed) {
        Random random = new Random(seed);
        ColumnType type = NestedValues.type(LEAVES, 3, random);
        List<@Nullable Object> values = values(type, 1 + random.nextInt(60), random);
        int[] rows = random.ints(random.nextInt(200), -1, values.size()).toArray();
        List<@Nullable Object> expected = new ArrayList<>();
        for (int row : rows) {
            expected.add(row < 0 ? null : values.get(row));
        }
        try (BufferAllocator allocator = new RootAllocator();
                ColumnVector column = vector(type, values, random, allocator);
                FieldVector taken =
                        Gather.take(TestValues.vector(column), rows, rows.length, allocator)) {
            assertThat(TestValues.values(type, new ColumnVector.Plain(taken))).isEqualTo(expected);
        }
    }

    @Property(tries = 150)
    void caseTakesEachRowFromItsBranch(@ForAll long seed) {
        Random random = new Random(seed);
        ColumnType type = NestedValues.type(LEAVES, 3, random);
        int rows = random.nextInt(150);
        List<@Nullable Object> truths = values(BOOL, rows, random);
        List<@Nullable Object> first = values(type, rows, random);
        List<@Nullable Object> second = values(type, rows, random);
        Expression choice =
                new Expression.Case(
                        List.of(
                                new Expression.Branch(column(0, BOOL), column(1, type)),
                                new Expression.Branch(
                                        call(Function.IS_NULL, BOOL, column(0, BOOL)),
                                        new Expression.Literal(type, null))),
                        column(2, type),
                        type);
        List<@Nullable Object> expected = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            Object truth = truths.get(i);
            expected.add(truth == null ? null : truth.equals(true) ? first.get(i) : second.get(i));
        }
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch batch =
                        new RecordBatch(
                                TestValues.schema(BOOL, type, type),
                                List.of(
                                        TestValues.encoded(
                                                BOOL, truths, List.of(), random, allocator),
                                        vector(type, first, random, allocator),
                                        vector(type, second, random, allocator)),
                                rows);
                VectorExpression compiled = ExpressionCompiler.compile(choice, batch.schema());
                ColumnVector result = compiled.evaluate(batch, allocator)) {
            assertThat(result).isInstanceOf(ColumnVector.Plain.class);
            assertThat(TestValues.values(type, result)).isEqualTo(expected);
        }
    }

    @Test
    void coalesceTakesTheFirstThatIsThere() {
        ColumnType type = type("list<utf8>");
        List<@Nullable Object> values = list(list("a", null), null, list(), null);
        Expression coalesce =
                new Expression.Case(
                        List.of(
                                new Expression.Branch(
                                        call(Function.IS_NOT_NULL, BOOL, column(0, type)),
                                        column(0, type))),
                        new Expression.Literal(type, null),
                        type);
        assertThat(over(type, values, coalesce)).isEqualTo(values);
    }

    @Test
    void nullsAreAColumn() {
        ColumnType type = type("struct<a list<int32>,m map<utf8,struct<x bool not null>>>");
        assertThat(over(BOOL, list(true, false), new Expression.Literal(type, null)))
                .containsExactly(null, null);
        assertThat(over(BOOL, list(), new Expression.Literal(type, null))).isEmpty();
    }

    @Test
    void nullIsTold() {
        ColumnType type = type("struct<a list<int32>>");
        List<@Nullable Object> values = list(list((Object) null), null, list(list()));
        assertThat(over(type, values, call(Function.IS_NULL, BOOL, column(0, type))))
                .containsExactly(false, true, false);
        assertThat(over(type, values, call(Function.IS_NOT_NULL, BOOL, column(0, type))))
                .containsExactly(true, false, true);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "AND",
                "OR",
                "NOT",
                "IS_NULL",
                "IS_NOT_NULL",
                "IS_TRUE",
                "IS_FALSE",
                "IS_NOT_TRUE",
                "IS_NOT_FALSE"
            })
    void everyOtherFunctionIsRefused(Function function) {
        ColumnType type = type("list<int32>");
        Expression.Column argument = column(0, type);
        assertThatThrownBy(
                        () ->
                                over(
                                        type,
                                        list(list(BigInteger.ONE)),
                                        call(function, type, argument, argument, argument)))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
                            assertThat(e).hasMessageContaining("list<int32>");
                        });
    }

    @Test
    void noListIsInAList() {
        ColumnType type = type("list<int32>");
        assertThatThrownBy(
                        () ->
                                over(
                                        type,
                                        values(type, 3, random),
                                        new Expression.In(
                                                column(0, type),
                                                List.of(new Expression.Literal(type, null)))))
                .hasMessageContaining("IN is not supported for list<int32>");
    }
}
