package io.spillway.operator.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.RandomValues;
import io.spillway.expression.TestValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows out of several batches, of every shape of column. */
class RowGatherTest {

    private static final ColumnType TEXT = new ColumnType.Utf8();

    private static final List<ColumnType> TYPES =
            List.of(
                    new ColumnType.Bool(),
                    new ColumnType.Int(8, true),
                    new ColumnType.Int(16, true),
                    new ColumnType.Int(32, true),
                    new ColumnType.Int(64, false),
                    new ColumnType.Decimal(30, 3),
                    new ColumnType.FixedBinary(5),
                    TEXT,
                    new ColumnType.ListOf(TEXT, true));

    @Property(tries = 200)
    void takesRowsOfAnyBatchInAnyOrder(@ForAll long seed) {
        Random random = new Random(seed);
        RowSchema schema = TestValues.schema(TYPES.toArray(ColumnType[]::new));
        int sources = 1 + random.nextInt(4);
        List<List<List<@Nullable Object>>> tables = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator()) {
            List<RecordBatch> batches = new ArrayList<>();
            for (int s = 0; s < sources; s++) {
                int rows = s == 0 ? 30 : random.nextInt(30);
                List<List<@Nullable Object>> table = new ArrayList<>();
                List<ColumnVector> columns = new ArrayList<>();
                boolean nulls = random.nextBoolean();
                for (ColumnType type : TYPES) {
                    List<@Nullable Object> values = new ArrayList<>();
                    for (int i = 0; i < rows; i++) {
                        boolean absent = nulls && random.nextInt(4) == 0;
                        values.add(absent ? null : RandomValues.value(type, random));
                    }
                    table.add(values);
                    columns.add(
                            type.isNested() || random.nextBoolean()
                                    ? TestValues.plain(type, values, allocator)
                                    : TestValues.encoded(
                                            type, values, List.of(), random, allocator));
                }
                tables.add(table);
                batches.add(new RecordBatch(schema, columns, rows));
            }
            int count = random.nextInt(200);
            int[] sourceOf = new int[count];
            int[] rowOf = new int[count];
            for (int i = 0; i < count; i++) {
                sourceOf[i] = random.nextInt(sources);
                rowOf[i] = random.nextInt(batches.get(sourceOf[i]).rowCount() + 1) - 1;
            }
            RowGather gather = new RowGather(schema, batches);
            try (RecordBatch out = gather.gather(sourceOf, rowOf, count, allocator)) {
                assertThat(out.rowCount()).isEqualTo(count);
                for (int c = 0; c < TYPES.size(); c++) {
                    List<@Nullable Object> expected = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        expected.add(
                                rowOf[i] < 0 ? null : tables.get(sourceOf[i]).get(c).get(rowOf[i]));
                    }
                    assertThat(TestValues.values(TYPES.get(c), out.column(c)))
                            .as("%s", TYPES.get(c))
                            .isEqualTo(expected);
                }
            }
            batches.forEach(RecordBatch::close);
        }
    }

    @Test
    void oneDictionaryOfAllBatchesIsKept() {
        RowSchema schema = TestValues.schema(TEXT);
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch whole =
                        new RecordBatch(
                                schema,
                                List.of(
                                        TestValues.encoded(
                                                TEXT,
                                                List.of("a", "b", "a", "c"),
                                                List.of(),
                                                new Random(1),
                                                allocator)),
                                4);
                RecordBatch first = whole.slice(0, 2);
                RecordBatch second = whole.slice(2, 2);
                RecordBatch out =
                        new RowGather(schema, List.of(first, second))
                                .gather(new int[] {1, 0, 1}, new int[] {1, 0, -1}, 3, allocator)) {
            assertThat(out.column(0)).isInstanceOf(ColumnVector.Encoded.class);
            assertThat(TestValues.values(TEXT, out.column(0))).containsExactly("c", "a", null);
        }
    }
}
