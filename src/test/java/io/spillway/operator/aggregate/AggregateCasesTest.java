package io.spillway.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.TestValues;
import io.spillway.operator.Streams;
import io.spillway.operator.key.SortKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums at their borders, special values, groups of nothing, and very many groups. */
class AggregateCasesTest {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final ColumnType INT32 = new ColumnType.Int(32, true);
    private static final ColumnType UINT64 = new ColumnType.Int(64, false);
    private static final ColumnType FLOAT64 = new ColumnType.FloatingPoint(64);
    private static final ColumnType DECIMAL = new ColumnType.Decimal(38, 0);
    private static final ColumnType TEXT = new ColumnType.Utf8();

    @TempDir Path folder;

    private static AggregateCall call(
            AggregateFunction function, ColumnType type, int... arguments) {
        return call(function, type, false, arguments);
    }

    private static AggregateCall call(
            AggregateFunction function, ColumnType type, boolean distinct, int... arguments) {
        return new AggregateCall(
                function,
                Arrays.stream(arguments).boxed().toList(),
                distinct,
                null,
                List.of(),
                List.of(),
                AggregateCase.result(function, type));
    }

    private static RowSchema output(
            RowSchema input, List<Integer> keys, List<AggregateCall> calls) {
        List<ColumnSchema> columns = new ArrayList<>();
        keys.forEach(
                key -> columns.add(new ColumnSchema("k" + key, input.column(key).type(), true)));
        calls.forEach(
                call -> columns.add(new ColumnSchema("m" + columns.size(), call.type(), true)));
        return new RowSchema(columns);
    }

    /** The one result over a column, all rows in one group, in batches of one row. */
    private @Nullable Object one(
            AggregateFunction function, ColumnType type, @Nullable Object... values) {
        RowSchema input = TestValues.schema(type);
        List<AggregateCall> calls = List.of(call(function, type, 0));
        try (AggregateRig rig = new AggregateRig(folder, 64 << 20, 1, 100)) {
            List<RecordBatch> batches = new ArrayList<>();
            for (Object value : values) {
                batches.add(TestValues.batch(rig.inputs(), type, value));
            }
            return rig.run(
                            new AggregateOperator(
                                    input, List.of(), calls, output(input, List.of(), calls)),
                            Streams.of(input, batches))
                    .getFirst()
                    .getFirst();
        }
    }

    private static BigInteger integer(long value) {
        return BigInteger.valueOf(value);
    }

    @Test
    void sumsAreExactOrAnError() {
        BigInteger max = integer(Long.MAX_VALUE);
        assertThat(one(AggregateFunction.SUM, INT64, max, integer(1), integer(-1))).isEqualTo(max);
        assertThat(one(AggregateFunction.SUM, INT32, integer(2147483640), integer(20)))
                .isEqualTo(integer(2147483660L));
        assertThat(one(AggregateFunction.SUM, UINT64, max, integer(0))).isEqualTo(max);
        assertOverflow(INT64, integer(9223372036854775800L), integer(100));
        assertOverflow(INT64, max.negate().subtract(BigInteger.ONE), integer(-1));
        assertOverflow(UINT64, max.shiftLeft(1), max.shiftLeft(1));
        BigDecimal half = new BigDecimal(BigInteger.TEN.pow(37).multiply(integer(5)));
        assertOverflow(DECIMAL, half, half, half);
        assertThat(
                        one(
                                AggregateFunction.SUM,
                                DECIMAL,
                                half,
                                half,
                                half,
                                half.negate(),
                                half.negate()))
                .isEqualTo(half);
    }

    private void assertOverflow(ColumnType type, Object... values) {
        assertThatThrownBy(() -> one(AggregateFunction.SUM, type, values))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.ARITHMETIC_OVERFLOW))
                .hasMessageContaining("SUM(c0)");
    }

    @Test
    void meansAreOfExactSums() {
        BigInteger large = integer(9223372036854775806L);
        assertThat(one(AggregateFunction.AVG, INT64, large, large, large))
                .isEqualTo(9.223372036854776E18);
        BigDecimal half = new BigDecimal(BigInteger.TEN.pow(37).multiply(integer(5)));
        assertThat(one(AggregateFunction.AVG, DECIMAL, half, half, half)).isEqualTo(5e37);
        assertThat(one(AggregateFunction.AVG, INT64, integer(1), integer(2))).isEqualTo(1.5);
    }

    @Test
    void variancesKeepTheirDigits() {
        double mean = 1e9;
        Object variance =
                one(AggregateFunction.VAR_POP, FLOAT64, mean + 4, mean + 7, mean + 13, mean + 16);
        assertThat((Double) variance).isCloseTo(22.5, within(1e-9));
        assertThat(one(AggregateFunction.VAR_SAMP, FLOAT64, 1.0)).isNull();
        assertThat(one(AggregateFunction.STDDEV_POP, FLOAT64, 1.0)).isEqualTo(0.0);
    }

    @Test
    void nanIsTheGreatest() {
        assertThat(one(AggregateFunction.MAX, FLOAT64, 1.0, Double.NaN, 2.0)).isEqualTo(Double.NaN);
        assertThat(one(AggregateFunction.MIN, FLOAT64, Double.NaN, 1.0, null)).isEqualTo(1.0);
        assertThat(one(AggregateFunction.MIN, FLOAT64, -0.0, 0.0)).isEqualTo(-0.0);
        assertThat(
                        one(
                                AggregateFunction.MAX,
                                UINT64,
                                integer(1),
                                integer(-1).mod(BigInteger.TWO.pow(64))))
                .isEqualTo(BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
    }

    @Test
    void aSubQueryInPlaceOfAValueHasOneRowAtMost() {
        assertThat(one(AggregateFunction.SINGLE_VALUE, TEXT)).isNull();
        assertThat(one(AggregateFunction.SINGLE_VALUE, TEXT, "a")).isEqualTo("a");
        assertThatThrownBy(() -> one(AggregateFunction.SINGLE_VALUE, TEXT, "a", null))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_ROWS));
    }

    @Test
    void nothingIsOneGroupWithoutKeysAndNoneWithKeys() {
        RowSchema input = TestValues.schema(INT64, TEXT);
        List<AggregateCall> calls =
                List.of(
                        call(AggregateFunction.COUNT_ROWS, INT64),
                        call(AggregateFunction.COUNT, INT64, true, 0),
                        call(AggregateFunction.SUM, INT64, 0),
                        call(AggregateFunction.MAX, TEXT, 1),
                        call(AggregateFunction.ARRAY_AGG, TEXT, 1),
                        call(AggregateFunction.APPROX_COUNT_DISTINCT, TEXT, 1));
        try (AggregateRig rig = new AggregateRig(folder, 64 << 20, 1, 100)) {
            List<List<@Nullable Object>> all =
                    rig.run(
                            new AggregateOperator(
                                    input, List.of(), calls, output(input, List.of(), calls)),
                            Streams.of(input, List.of()));
            assertThat(all)
                    .containsExactly(
                            Arrays.asList(integer(0), integer(0), null, null, null, integer(0)));
            assertThat(
                            rig.run(
                                    new AggregateOperator(
                                            input,
                                            List.of(0),
                                            calls,
                                            output(input, List.of(0), calls)),
                                    Streams.of(input, List.of())))
                    .isEmpty();
        }
    }

    /** Rows that are made as they are asked for. */
    private static BatchStream rows(
            RowSchema input,
            int count,
            IntFunction<List<@Nullable Object>> row,
            BufferAllocator allocator) {
        return new BatchStream() {

            private int next;

            @Override
            public RowSchema schema() {
                return input;
            }

            @Override
            public Poll<RecordBatch> poll() {
                if (next == count) {
                    return Poll.finished();
                }
                int rows = Math.min(2_000, count - next);
                List<List<@Nullable Object>> columns = new ArrayList<>();
                input.columns().forEach(_ -> columns.add(new ArrayList<>()));
                for (int i = 0; i < rows; i++) {
                    List<@Nullable Object> values = row.apply(next++);
                    for (int c = 0; c < columns.size(); c++) {
                        columns.get(c).add(values.get(c));
                    }
                }
                List<ColumnVector> vectors = new ArrayList<>();
                for (int c = 0; c < columns.size(); c++) {
                    vectors.add(
                            TestValues.plain(input.column(c).type(), columns.get(c), allocator));
                }
                return Poll.output(new RecordBatch(input, vectors, rows));
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void estimatesAreNearAndTheSameInAnyMemory() {
        RowSchema input = TestValues.schema(INT32, INT64);
        List<AggregateCall> calls =
                List.of(call(AggregateFunction.APPROX_COUNT_DISTINCT, INT64, 1));
        AggregateOperator operator =
                new AggregateOperator(input, List.of(0), calls, output(input, List.of(0), calls));
        IntFunction<List<@Nullable Object>> row =
                i ->
                        List.of(
                                integer(i % 100 < 98 ? i % 3 : i),
                                integer(i % 100 < 98 ? i % 60_000 : i % 7));
        List<List<@Nullable Object>> expected;
        try (AggregateRig rig = new AggregateRig(folder, 64 << 20, 1, 1_000)) {
            expected = rig.run(operator, rows(input, 200_000, row, rig.inputs()));
            assertThat(rig.spilled()).isZero();
        }
        for (List<@Nullable Object> group : expected.subList(0, 3)) {
            assertThat(((BigInteger) group.get(1)).doubleValue())
                    .isCloseTo(19_600, within(1_000.0));
        }
        try (AggregateRig rig = new AggregateRig(folder, 64 << 20, 1, 1_000)) {
            rig.hog(KeyedStream.FLOOR + KeyedStream.TURN);
            assertThat(rig.run(operator, rows(input, 200_000, row, rig.inputs())))
                    .isEqualTo(expected);
            assertThat(rig.spilled()).isPositive();
        }
    }

    @Test
    void manyGroupsInLittleMemory() {
        RowSchema input = TestValues.schema(TEXT, INT64);
        List<AggregateCall> calls =
                List.of(
                        call(AggregateFunction.COUNT_ROWS, INT64),
                        call(AggregateFunction.COUNT, INT64, true, 1),
                        call(AggregateFunction.MAX, TEXT, 0));
        AggregateOperator operator =
                new AggregateOperator(input, List.of(0), calls, output(input, List.of(0), calls));
        int groups = 40_000;
        String start = "x".repeat(96);
        try (AggregateRig rig = new AggregateRig(folder, 4 << 20, 1, 1_000)) {
            List<List<@Nullable Object>> results =
                    rig.run(
                            operator,
                            rows(
                                    input,
                                    2 * groups,
                                    i -> List.of(start + i % groups, integer(i % 5)),
                                    rig.inputs()));
            assertThat(rig.spilled()).isPositive();
            assertThat(rig.pool().peak()).isLessThan(4 << 20);
            assertThat(results).hasSize(groups);
            for (int i = 0; i < groups; i++) {
                assertThat(results.get(i))
                        .containsExactly(start + i, integer(2), integer(1), start + i);
            }
        }
    }

    @Test
    void aMedianOfOneLargeGroupInLittleMemory() {
        RowSchema input = TestValues.schema(INT64);
        AggregateCall median =
                new AggregateCall(
                        AggregateFunction.PERCENTILE_CONT,
                        List.of(0),
                        false,
                        null,
                        List.of(new SortKey(0, false, false)),
                        List.of(new Expression.Literal(FLOAT64, "0.5")),
                        FLOAT64);
        int rows = 400_000;
        try (AggregateRig rig = new AggregateRig(folder, 4 << 20, 1, 1_000)) {
            List<List<@Nullable Object>> results =
                    rig.run(
                            new AggregateOperator(
                                    input,
                                    List.of(),
                                    List.of(median),
                                    output(input, List.of(), List.of(median))),
                            rows(
                                    input,
                                    rows,
                                    i -> List.of(integer(i * 7_919L % rows)),
                                    rig.inputs()));
            assertThat(results).containsExactly(List.of((rows - 1) / 2.0));
            assertThat(rig.pool().peak()).isLessThan(4 << 20);
        }
    }
}
