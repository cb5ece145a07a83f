package io.spillway.operator.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.TestValues;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Numbers of keys against a map's, and the memory that they take. */
class KeyTableTest {

    private static final ColumnType INT = new ColumnType.Int(32, true);
    private static final ColumnType LONG = new ColumnType.Int(64, true);
    private static final ColumnType TEXT = new ColumnType.Utf8();

    @Test
    void numbersKeysOfOneWord() {
        check(List.of(INT), 20_000);
    }

    @Test
    void numbersKeysOfTwoWords() {
        check(List.of(LONG), 20_000);
        check(List.of(LONG, INT), 3_000);
    }

    @Test
    void numbersKeysOfManyWords() {
        check(List.of(LONG, LONG), 20_000);
    }

    @Test
    void numbersTexts() {
        check(List.of(TEXT), 20_000);
        check(List.of(INT, TEXT), 10);
    }

    private static void check(List<ColumnType> types, int distinct) {
        Random random = new Random(7);
        RowSchema schema = TestValues.schema(types.toArray(ColumnType[]::new));
        List<Integer> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(i);
        }
        Map<List<@Nullable Object>, Integer> expected = new HashMap<>();
        try (MemoryPool pool = MemoryPool.root(256 << 20);
                MemoryHolding holding = pool.hold("keys");
                KeyEncoder encoder = KeyEncoder.equal(columns, schema, pool.allocator());
                KeyTable table = new KeyTable(encoder.width(), pool.allocator(), holding)) {
            for (int b = 0; b < 20; b++) {
                List<List<@Nullable Object>> rows = rows(types, distinct, random);
                try (RecordBatch batch = batch(schema, rows, pool);
                        EncodedKeys keys = encoder.encode(batch)) {
                    int[] before = new int[rows.size()];
                    table.find(keys, before);
                    int[] ids = new int[rows.size()];
                    assertThat(table.reserve(keys)).isTrue();
                    table.ids(keys, ids);
                    int[] after = new int[rows.size()];
                    table.find(keys, after);
                    int[] some = new int[2];
                    table.ids(keys, new int[] {rows.size() - 1, 0}, 2, some);
                    for (int i = 0; i < ids.length; i++) {
                        Integer known = expected.get(rows.get(i));
                        int id = known == null ? expected.size() : known;
                        expected.putIfAbsent(rows.get(i), id);
                        assertThat(ids[i]).isEqualTo(id);
                        assertThat(after[i]).isEqualTo(id);
                        assertThat(table.length(id)).isEqualTo(keys.length(i));
                        assertThat(
                                        KeyBytes.equal(
                                                table.address(id), keys.address(i), keys.length(i)))
                                .isTrue();
                        if (before[i] != KeyTable.UNKNOWN) {
                            assertThat(before[i]).isEqualTo(id);
                        }
                    }
                    assertThat(some).containsExactly(ids[rows.size() - 1], ids[0]);
                }
                assertThat(table.size()).isEqualTo(expected.size());
                assertThat(holding.bytes()).isEqualTo(table.bytes());
            }
        }
    }

    private static List<List<@Nullable Object>> rows(
            List<ColumnType> types, int distinct, Random random) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            for (ColumnType type : types) {
                int value = random.nextInt(distinct);
                if (value == 0) {
                    row.add(null);
                } else if (type.equals(TEXT)) {
                    row.add("x".repeat(value % 100) + value);
                } else {
                    row.add(BigInteger.valueOf(value));
                }
            }
            rows.add(row);
        }
        return rows;
    }

    private static RecordBatch batch(
            RowSchema schema, List<List<@Nullable Object>> rows, MemoryPool pool) {
        List<ColumnVector> columns = new ArrayList<>();
        for (int c = 0; c < schema.size(); c++) {
            List<@Nullable Object> values = new ArrayList<>();
            for (List<@Nullable Object> row : rows) {
                values.add(row.get(c));
            }
            columns.add(TestValues.plain(schema.column(c).type(), values, pool.allocator()));
        }
        return new RecordBatch(schema, columns, rows.size());
    }

    @Test
    void aHoldingThatCannotGrowLeavesTheTableAsItWas() {
        RowSchema schema = TestValues.schema(LONG);
        try (MemoryPool pool = MemoryPool.root(1 << 20);
                MemoryHolding holding = pool.hold("keys");
                KeyEncoder encoder = KeyEncoder.equal(List.of(0), schema, pool.allocator());
                KeyTable table = new KeyTable(encoder.width(), pool.allocator(), holding)) {
            int next = 0;
            while (true) {
                List<List<@Nullable Object>> rows = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    rows.add(List.of(BigInteger.valueOf(next++)));
                }
                try (RecordBatch batch = batch(schema, rows, pool);
                        EncodedKeys keys = encoder.encode(batch)) {
                    int[] ids = new int[1_000];
                    long held = holding.bytes();
                    if (!table.reserve(keys)) {
                        assertThat(holding.bytes()).isEqualTo(held);
                        table.find(keys, ids);
                        assertThat(ids).containsOnly(KeyTable.UNKNOWN);
                        break;
                    }
                    table.ids(keys, ids);
                    assertThat(ids[999]).isEqualTo(next - 1);
                }
            }
            assertThat(table.size()).isGreaterThan(5_000);
        }
    }

    @Test
    void hashesOfTwoLevelsSpreadKeysAnew() {
        RowSchema schema = TestValues.schema(LONG);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            rows.add(List.of(BigInteger.valueOf(i)));
        }
        try (MemoryPool pool = MemoryPool.root(16 << 20);
                KeyEncoder encoder = KeyEncoder.equal(List.of(0), schema, pool.allocator());
                RecordBatch batch = batch(schema, rows, pool);
                EncodedKeys keys = encoder.encode(batch)) {
            long[] one = new long[10_000];
            long[] two = new long[10_000];
            KeyHash.of(keys, 1, one);
            KeyHash.of(keys, 2, two);
            int[][] partitions = new int[8][8];
            for (int i = 0; i < one.length; i++) {
                partitions[(int) (one[i] >>> 61)][(int) (two[i] >>> 61)]++;
                assertThat(KeyHash.of(keys.address(i), keys.length(i), 2)).isEqualTo(two[i]);
            }
            for (int[] partition : partitions) {
                for (int count : partition) {
                    assertThat(count).isBetween(80, 240);
                }
            }
        }
    }
}
