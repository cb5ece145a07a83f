package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.RandomValues;
import io.spillway.expression.TestValues;
import io.spillway.testing.NestedValues;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExplodeOperatorTest {

    private static final ColumnType INT = new ColumnType.Int(32, true);
    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final List<ColumnType> LEAVES =
            List.of(
                    INT,
                    TEXT,
                    new ColumnType.Bool(),
                    new ColumnType.FixedBinary(3),
                    new ColumnType.Decimal(20, 2),
                    new ColumnType.Int(16, false));

    private static ExplodeOperator explode(RowSchema input, int column, boolean outer) {
        List<ColumnSchema> columns = new ArrayList<>(input.columns());
        ColumnSchema list = columns.get(column);
        if (list.type() instanceof ColumnType.ListOf(ColumnType element, boolean _)) {
            columns.set(column, new ColumnSchema(list.name(), element, true));
        }
        return new ExplodeOperator(column, outer, input, new RowSchema(columns));
    }

    /** Rows of text, a list, and a nested value; what is under null lists is there, too. */
    @Property(tries = 120)
    void everyElementHasARow(@ForAll long seed, @ForAll boolean outer) {
        Random random = new Random(seed);
        ColumnType element =
                random.nextBoolean()
                        ? LEAVES.get(random.nextInt(LEAVES.size()))
                        : NestedValues.type(LEAVES, 2, random);
        ColumnType list = new ColumnType.ListOf(element, true);
        ColumnType nested = NestedValues.type(LEAVES, 2, random);
        RowSchema schema = TestValues.schema(TEXT, list, nested, INT);
        ExplodeOperator operator = explode(schema, 1, outer);
        List<List<@Nullable Object>> expected = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator()) {
            List<RecordBatch> batches = new ArrayList<>();
            for (int b = 0; b < random.nextInt(4); b++) {
                batches.add(batch(schema, 1 + random.nextInt(60), random, allocator));
            }
            for (RecordBatch batch : batches) {
                for (List<@Nullable Object> row : Streams.rows(batch)) {
                    expected.addAll(exploded(row, outer));
                }
            }
            List<List<@Nullable Object>> found = new ArrayList<>();
            for (RecordBatch out :
                    Streams.drain(operator.over(Streams.of(schema, batches), 0, allocator))) {
                try (out) {
                    assertThat(out.rowCount()).isBetween(1, ExplodeStream.MAX_ROWS);
                    assertThat(out.column(0)).isInstanceOf(ColumnVector.Encoded.class);
                    found.addAll(Streams.rows(out));
                }
            }
            assertThat(found).isEqualTo(expected);
        }
    }

    private static List<List<@Nullable Object>> exploded(
            List<@Nullable Object> row, boolean outer) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<?> elements = row.get(1) instanceof List<?> list ? list : List.of();
        if (elements.isEmpty() && outer) {
            elements = Collections.singletonList(null);
        }
        for (Object element : elements) {
            List<@Nullable Object> out = new ArrayList<>(row);
            out.set(1, element);
            rows.add(out);
        }
        return rows;
    }

    private static RecordBatch batch(
            RowSchema schema, int rows, Random random, BufferAllocator allocator) {
        List<ColumnVector> columns = new ArrayList<>();
        NestedValues.Hidden hidden = new NestedValues.Hidden(random, RandomValues::value);
        for (ColumnSchema column : schema.columns()) {
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                values.add(
                        random.nextInt(4) == 0 ? null : RandomValues.value(column.type(), random));
            }
            columns.add(
                    column.type().isNested()
                            ? TestValues.nested(
                                    column.type(),
                                    values,
                                    random.nextBoolean() ? hidden : null,
                                    allocator)
                            : column.type().equals(TEXT)
                                    ? TestValues.encoded(TEXT, values, List.of(), random, allocator)
                                    : TestValues.plain(column.type(), values, allocator));
        }
        try (RecordBatch batch = new RecordBatch(schema, columns, rows)) {
            int from = random.nextInt(rows);
            return batch.slice(from, rows - from);
        }
    }

    private static RecordBatch lists(
            RowSchema schema, BufferAllocator allocator, String text, List<?> list) {
        return new RecordBatch(
                schema,
                List.of(
                        TestValues.plain(TEXT, List.of(text), allocator),
                        TestValues.plain(
                                new ColumnType.ListOf(INT, true), List.of(list), allocator)),
                1);
    }

    @Test
    void aLongListComesOutInBatchesOfSomeRowsAndBytes() {
        RowSchema schema = TestValues.schema(TEXT, new ColumnType.ListOf(INT, true));
        List<BigInteger> list = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            list.add(BigInteger.valueOf(i));
        }
        String text = "x".repeat(100_000);
        try (BufferAllocator allocator = new RootAllocator(64 << 20)) {
            BatchStream stream =
                    explode(schema, 1, false)
                            .over(
                                    Streams.of(
                                            schema, List.of(lists(schema, allocator, text, list))),
                                    0,
                                    allocator);
            // Each batch is closed at once: together they would take a gigabyte.
            long rows = 0;
            while (rows < 1_000) {
                if (stream.poll() instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                    try (batch) {
                        rows += batch.rowCount();
                        assertThat(batch.bytes()).isLessThan(2 * ExplodeStream.MAX_BYTES);
                    }
                }
            }
            stream.close();
            stream.close();
        }
    }

    @Test
    void wholeListsAreSharedAndNotCopied() {
        RowSchema schema = TestValues.schema(TEXT, new ColumnType.ListOf(INT, true));
        List<BigInteger> list = List.of(BigInteger.ONE, BigInteger.TWO);
        try (BufferAllocator allocator = new RootAllocator()) {
            RecordBatch in = lists(schema, allocator, "a", list);
            long address =
                    TestValues.vector(in.column(1))
                            .getChildrenFromFields()
                            .getFirst()
                            .getDataBuffer()
                            .memoryAddress();
            List<RecordBatch> out =
                    Streams.drain(
                            explode(schema, 1, false)
                                    .over(Streams.of(schema, List.of(in)), 0, allocator));
            assertThat(out).hasSize(1);
            assertThat(TestValues.vector(out.getFirst().column(1)).getDataBuffer().memoryAddress())
                    .isEqualTo(address);
            out.forEach(RecordBatch::close);
        }
    }
}
