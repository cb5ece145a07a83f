package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GatherTest {

    static Stream<ColumnType> everyType() {
        return Stream.of(
                new ColumnType.Bool(),
                new ColumnType.Int(8, true),
                new ColumnType.Int(16, false),
                new ColumnType.Int(32, true),
                new ColumnType.Int(64, true),
                new ColumnType.Int(64, false),
                new ColumnType.FloatingPoint(16),
                new ColumnType.FloatingPoint(32),
                new ColumnType.FloatingPoint(64),
                new ColumnType.Decimal(38, 3),
                new ColumnType.Utf8(),
                new ColumnType.Binary(),
                new ColumnType.FixedBinary(3),
                new ColumnType.Date(),
                new ColumnType.Time(TimeUnit.MILLI),
                new ColumnType.Time(TimeUnit.MICRO),
                new ColumnType.Timestamp(TimeUnit.NANO, true));
    }

    @ParameterizedTest
    @MethodSource("everyType")
    void takesTheSelectedRowsOfEveryTypeInBothForms(ColumnType type) {
        Random random = new Random(7);
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            values.add(random.nextInt(4) == 0 ? null : RandomValues.value(type, random));
        }
        int[] rows = random.ints(0, 1000).distinct().limit(300).sorted().toArray();
        List<@Nullable Object> expected = new ArrayList<>();
        for (int row : rows) {
            expected.add(values.get(row));
        }
        Selection selection = Selection.of(rows);
        RowSchema schema = TestValues.schema(type, type);
        try (BufferAllocator allocator = new RootAllocator()) {
            ColumnVector plain = TestValues.plain(type, values, allocator);
            ColumnVector encoded = TestValues.encoded(type, values, List.of(), random, allocator);
            try (RecordBatch batch = new RecordBatch(schema, List.of(plain, encoded), 1000);
                    RecordBatch taken = Gather.gather(batch, selection, allocator)) {
                assertThat(taken.rowCount()).isEqualTo(rows.length);
                assertThat(TestValues.values(type, taken.column(0))).isEqualTo(expected);
                assertThat(TestValues.values(type, taken.column(1))).isEqualTo(expected);
                assertThat(taken.column(1))
                        .isInstanceOfSatisfying(
                                ColumnVector.Encoded.class,
                                e ->
                                        assertThat(e.dictionary())
                                                .isSameAs(
                                                        ((ColumnVector.Encoded) encoded)
                                                                .dictionary()));
                if (batch.column(1) instanceof ColumnVector.Encoded column) {
                    try (var decoded = Decode.decode(column, allocator)) {
                        assertThat(TestValues.values(type, new ColumnVector.Plain(decoded)))
                                .isEqualTo(values);
                    }
                }
            }
        }
    }

    @Test
    void sharesBuffersWhereAllRowsAreSelected() {
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch batch =
                        TestValues.batch(allocator, new ColumnType.Utf8(), "a", null, "c")) {
            long before = allocator.getAllocatedMemory();
            try (RecordBatch all = Gather.gather(batch, Selection.of(0, 1, 2), allocator)) {
                assertThat(TestValues.values(new ColumnType.Utf8(), all.column(0)))
                        .containsExactly("a", null, "c");
                assertThat(TestValues.vector(all.column(0)).getDataBuffer().memoryAddress())
                        .isEqualTo(
                                TestValues.vector(batch.column(0)).getDataBuffer().memoryAddress());
            }
            assertThat(allocator.getAllocatedMemory()).isEqualTo(before);
        }
    }

    @Test
    void takesNothingAndTakesFromNothing() {
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch batch = TestValues.batch(allocator, new ColumnType.Utf8(), "a", "b");
                RecordBatch none = Gather.gather(batch, Selection.of(), allocator);
                RecordBatch again = Gather.gather(none, Selection.of(), allocator)) {
            assertThat(none.rowCount()).isZero();
            assertThat(again.rowCount()).isZero();
        }
    }
}
