package io.spillway.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that many rows have: spreading rows by their hash does not help. */
class HotKeyTest {

    private static final JoinHarness.Setting SMALL =
            new JoinHarness.Setting(4 << 20, 1 << 20, 2, 4096, 4096);

    private static final long ROWS = 150_000;
    private static final long KEYS = 120_000;
    private static final long RIGHTS = 100_000;

    @TempDir Path folder;
    private JoinHarness harness;

    @BeforeEach
    void start() {
        harness = new JoinHarness(folder);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private static JoinOperator join(JoinType type, @Nullable Expression condition) {
        RowSchema left = LargeJoins.schema("l");
        RowSchema right = LargeJoins.schema("r");
        List<ColumnSchema> columns = new ArrayList<>(left.columns());
        if (type.hasRight()) {
            columns.addAll(right.columns());
        }
        return new JoinOperator(
                type,
                List.of(new JoinKey(0, 0, false)),
                condition,
                left,
                right,
                new RowSchema(columns));
    }

    private static Expression compare(Function function) {
        return new Expression.Call(
                function,
                List.of(
                        new Expression.Column(1, LargeJoins.LONG),
                        new Expression.Column(3, LargeJoins.LONG)),
                new ColumnType.Bool());
    }

    private interface Tables {
        List<BatchStream> make(BufferAllocator allocator);
    }

    private static Tables tables(
            long lefts, LongUnaryOperator leftKey, long rights, LongUnaryOperator rightKey) {
        return allocator ->
                List.of(
                        LargeJoins.table("l", lefts, leftKey, i -> i, 4096, allocator),
                        LargeJoins.table("r", rights, rightKey, i -> i, 4096, allocator));
    }

    private long run(JoinOperator join, Tables tables, Consumer<RecordBatch> check) {
        return harness.run(join, tables::make, SMALL, check);
    }

    /** One key of 200,000 left rows among a few others, and nulls on both sides. */
    @ParameterizedTest
    @EnumSource(JoinType.class)
    void aHotLeftKeyAndNulls(JoinType type) {
        long[] lefts = {200_010, 201_010};
        LongUnaryOperator leftKey =
                i -> i < 200_000 ? 1 : i < lefts[0] ? i - 199_998 : LargeJoins.NULL;
        LongUnaryOperator rightKey = i -> i < 3 ? 1 : i == 3 ? 2 : LargeJoins.NULL;
        long expected =
                switch (type) {
                    case INNER -> 600_001;
                    case LEFT -> 601_010;
                    case RIGHT -> 601_001;
                    case FULL -> 602_010;
                    case SEMI -> 200_001;
                    case ANTI -> 1_009;
                };
        long[] last = {-1, -1};
        long rows =
                run(
                        join(type, null),
                        tables(lefts[1], leftKey, 1_004, rightKey),
                        batch -> {
                            for (int i = 0; type.hasRight() && i < batch.rowCount(); i++) {
                                long left = LargeJoins.get(batch, 1, i);
                                long right = LargeJoins.get(batch, 3, i);
                                boolean tail = left == LargeJoins.NULL;
                                assertThat(tail ? right : left)
                                        .isGreaterThanOrEqualTo(last[tail ? 1 : 0]);
                                last[tail ? 1 : 0] = tail ? right : left;
                            }
                        });
        assertThat(rows).isEqualTo(expected);
    }

    @Test
    void allPairsOfOneKey() {
        long[] pair = {0};
        long rows =
                run(
                        join(JoinType.INNER, null),
                        tables(3_000, i -> 1, 3_000, i -> 1),
                        batch -> {
                            assertThat(batch.rowCount()).isLessThanOrEqualTo(4096);
                            for (int i = 0; i < batch.rowCount(); i++, pair[0]++) {
                                if (LargeJoins.get(batch, 1, i) != pair[0] / 3_000
                                        || LargeJoins.get(batch, 3, i) != pair[0] % 3_000) {
                                    throw new AssertionError(pair[0]);
                                }
                            }
                        });
        assertThat(rows).isEqualTo(9_000_000);
    }

    @ParameterizedTest
    @EnumSource(JoinType.class)
    void pairsOfOneKeyThatAConditionDecidesAbout(JoinType type) {
        decideAbout(type, 1_000);
    }

    /** 100 million pairs, of which few pass. */
    @ParameterizedTest
    @EnumSource(JoinType.class)
    @Tag("long")
    void manyPairsOfOneKeyThatAConditionDecidesAbout(JoinType type) {
        decideAbout(type, 10_000);
    }

    private void decideAbout(JoinType type, int count) {
        long rows =
                run(
                        join(type, compare(Function.EQUAL)),
                        tables(count, i -> 1, count, i -> 1),
                        batch -> {});
        assertThat(rows).isEqualTo(type == JoinType.ANTI ? 0 : count);
    }

    /** The right side of one key does not fit: it is taken in blocks. */
    @ParameterizedTest
    @EnumSource(JoinType.class)
    void aRightKeyThatDoesNotFit(JoinType type) {
        int lefts = 40;
        int rights = 300_000;
        // Left values 0, 5000 … 145,000 match twice, far from each other; others do not.
        LongUnaryOperator none = i -> 1;
        LongUnaryOperator value = i -> 5_000 * i;
        List<Long> seen = new ArrayList<>();
        long rows =
                harness.run(
                        join(type, compare(Function.EQUAL)),
                        allocator ->
                                List.of(
                                        LargeJoins.table("l", lefts, none, value, 4096, allocator),
                                        LargeJoins.table(
                                                "r",
                                                rights,
                                                none,
                                                i -> i % 150_000,
                                                4096,
                                                allocator)),
                        SMALL,
                        batch -> {
                            for (int i = 0; i < batch.rowCount() && seen.size() < 400; i++) {
                                seen.add(LargeJoins.get(batch, 1, i));
                            }
                        });
        assertThat(harness.manager().written()).isPositive();
        assertThat(rows)
                .isEqualTo(
                        switch (type) {
                            case INNER -> 60;
                            case LEFT -> 70;
                            case RIGHT -> rights;
                            case FULL -> 10 + rights;
                            case SEMI -> 30;
                            case ANTI -> 10;
                        });
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < lefts; i++) {
            int times =
                    switch (type) {
                        case INNER, RIGHT -> i < 30 ? 2 : 0;
                        case LEFT, FULL -> i < 30 ? 2 : 1;
                        case SEMI -> i < 30 ? 1 : 0;
                        case ANTI -> i < 30 ? 0 : 1;
                    };
            for (int t = 0; t < times; t++) {
                expected.add(value.applyAsLong(i));
            }
        }
        assertThat(seen.subList(0, expected.size())).isEqualTo(expected);
    }

    /** So many keys that partitions are spread again. */
    @ParameterizedTest
    @EnumSource(JoinType.class)
    void partitionsThatAreSpreadAgain(JoinType type) {
        long[] next = {0};
        long rows =
                run(
                        join(type, null),
                        tables(ROWS, i -> i * 7919 % KEYS, RIGHTS, i -> i),
                        batch -> {
                            for (int i = 0; type == JoinType.LEFT && i < batch.rowCount(); i++) {
                                long left = LargeJoins.get(batch, 1, i);
                                long key = left * 7919 % KEYS;
                                long right = key < RIGHTS ? key : LargeJoins.NULL;
                                if (left != next[0]++ || LargeJoins.get(batch, 3, i) != right) {
                                    throw new AssertionError("row " + left);
                                }
                            }
                        });
        // The factors have no divisor in common: all keys come.
        assertThat(rows)
                .isEqualTo(
                        switch (type) {
                            case INNER, RIGHT, SEMI -> matches();
                            case LEFT, FULL -> ROWS;
                            case ANTI -> ROWS - matches();
                        });
    }

    private static long matches() {
        long count = 0;
        for (long i = 0; i < ROWS; i++) {
            count += i * 7919 % KEYS < RIGHTS ? 1 : 0;
        }
        return count;
    }
}
