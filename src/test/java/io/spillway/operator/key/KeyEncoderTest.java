package io.spillway.operator.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.expression.RandomValues;
import io.spillway.expression.TestValues;
import io.spillway.testing.NestedValues;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keys of every type against an order written down plainly. */
class KeyEncoderTest {

    private static final List<ColumnType> FLAT =
            List.of(
                    new ColumnType.Bool(),
                    new ColumnType.Int(8, true),
                    new ColumnType.Int(16, true),
                    new ColumnType.Int(32, true),
                    new ColumnType.Int(64, true),
                    new ColumnType.Int(8, false),
                    new ColumnType.Int(16, false),
                    new ColumnType.Int(32, false),
                    new ColumnType.Int(64, false),
                    new ColumnType.FloatingPoint(16),
                    new ColumnType.FloatingPoint(32),
                    new ColumnType.FloatingPoint(64),
                    new ColumnType.Decimal(9, 2),
                    new ColumnType.Decimal(38, 5),
                    new ColumnType.Utf8(),
                    new ColumnType.Binary(),
                    new ColumnType.FixedBinary(5),
                    new ColumnType.Date(),
                    new ColumnType.Time(ColumnType.TimeUnit.MILLI),
                    new ColumnType.Time(ColumnType.TimeUnit.NANO),
                    new ColumnType.Timestamp(ColumnType.TimeUnit.MICRO, true));

    /** Columns of values, some of them nulls or repeats. */
    private record Table(List<ColumnType> types, List<List<@Nullable Object>> columns) {

        static Table random(List<ColumnType> types, int rows, Random random) {
            List<List<@Nullable Object>> columns = new ArrayList<>();
            for (ColumnType type : types) {
                List<@Nullable Object> values = new ArrayList<>();
                for (int i = 0; i < rows; i++) {
                    values.add(
                            switch (random.nextInt(4)) {
                                case 0 -> null;
                                case 1 ->
                                        i == 0
                                                ? RandomValues.value(type, random)
                                                : values.get(random.nextInt(i));
                                default -> RandomValues.value(type, random);
                            });
                }
                columns.add(values);
            }
            return new Table(types, columns);
        }

        RowSchema schema() {
            return TestValues.schema(types.toArray(ColumnType[]::new));
        }

        /** Some columns, those that are not nested, perhaps with dictionaries. */
        RecordBatch batch(Random random, BufferAllocator allocator) {
            List<ColumnVector> vectors = new ArrayList<>();
            for (int c = 0; c < types.size(); c++) {
                ColumnType type = types.get(c);
                List<@Nullable Object> values = columns.get(c);
                if (type.isNested() || random.nextBoolean()) {
                    vectors.add(TestValues.plain(type, values, allocator));
                } else {
                    List<Object> unused = new ArrayList<>();
                    for (int i = random.nextInt(3) * values.size() * 3; i > 0; i--) {
                        unused.add(RandomValues.value(type, random));
                    }
                    vectors.add(TestValues.encoded(type, values, unused, random, allocator));
                }
            }
            return new RecordBatch(schema(), vectors, columns.getFirst().size());
        }
    }

    private static List<ColumnType> types(int count, boolean maps, Random random) {
        List<ColumnType> types = new ArrayList<>();
        while (types.size() < count) {
            ColumnType type =
                    random.nextInt(3) == 0
                            ? NestedValues.type(FLAT, 3, random)
                            : FLAT.get(random.nextInt(FLAT.size()));
            if (maps || !type.toString().contains("map<")) {
                types.add(type);
            }
        }
        return types;
    }

    @Property(tries = 400)
    void orderedKeysCompareAsTheRowsDo(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int n) {
        Random random = new Random(seed);
        Table table = Table.random(types(n, false, random), 1 + random.nextInt(40), random);
        List<SortKey> keys = new ArrayList<>();
        for (int c = 0; c < n; c++) {
            keys.add(new SortKey(c, random.nextBoolean(), random.nextBoolean()));
        }
        check(
                table,
                random,
                (schema, allocator) -> KeyEncoder.ordered(keys, schema, allocator),
                (a, b, order) ->
                        assertThat(Integer.signum(order))
                                .as("%s of %s: rows %s, %s", keys, table, a, b)
                                .isEqualTo(naive(keys, table, a, b)));
    }

    @Property(tries = 400)
    void equalKeysAreThoseOfEqualRows(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int n) {
        Random random = new Random(seed);
        Table table = Table.random(types(n, true, random), 1 + random.nextInt(40), random);
        List<Integer> columns = new ArrayList<>();
        List<SortKey> keys = new ArrayList<>();
        for (int c = 0; c < n; c++) {
            columns.add(c);
            keys.add(new SortKey(c, false, true));
        }
        check(
                table,
                random,
                (schema, allocator) -> KeyEncoder.equal(columns, schema, allocator),
                (a, b, order) ->
                        assertThat(order == 0)
                                .as("%s: rows %s, %s", table, a, b)
                                .isEqualTo(naive(keys, table, a, b) == 0));
    }

    private static int naive(List<SortKey> keys, Table table, int a, int b) {
        for (SortKey key : keys) {
            List<@Nullable Object> values = table.columns.get(key.column());
            int order =
                    NaiveOrder.compare(
                            key, table.types.get(key.column()), values.get(a), values.get(b));
            if (order != 0) {
                return Integer.signum(order);
            }
        }
        return 0;
    }

    private interface Maker {
        KeyEncoder make(RowSchema schema, BufferAllocator allocator);
    }

    private interface Pair {
        void check(int a, int b, int order);
    }

    /** Compares all pairs of rows, those of a second batch with other dictionaries included. */
    private static void check(Table table, Random random, Maker maker, Pair pair) {
        int rows = table.columns.getFirst().size();
        try (BufferAllocator allocator = new RootAllocator();
                KeyEncoder encoder = maker.make(table.schema(), allocator);
                RecordBatch one = table.batch(random, allocator);
                RecordBatch other = table.batch(random, allocator);
                EncodedKeys left = encoder.encode(one);
                EncodedKeys again = encoder.encode(one);
                EncodedKeys right = encoder.encode(other)) {
            assertThat(left.count()).isEqualTo(rows);
            assertThat(left.width()).isEqualTo(encoder.width());
            for (int a = 0; a < rows; a++) {
                assertThat(compare(left, a, again, a)).isZero();
                for (int b = 0; b < rows; b++) {
                    pair.check(a, b, compare(left, a, right, b));
                }
            }
        }
    }

    private static int compare(EncodedKeys left, int a, EncodedKeys right, int b) {
        int order =
                KeyBytes.compare(
                        left.address(a), left.length(a), right.address(b), right.length(b));
        long one = KeyBytes.word(left.address(a), left.length(a));
        long other = KeyBytes.word(right.address(b), right.length(b));
        if (one != other) {
            assertThat(Integer.signum(Long.compareUnsigned(one, other)))
                    .isEqualTo(Integer.signum(order));
        }
        if (order == 0) {
            assertThat(KeyHash.of(left.address(a), left.length(a), 1))
                    .isEqualTo(KeyHash.of(right.address(b), right.length(b), 1));
        }
        return order;
    }

    @Test
    void mapsCannotBeSortedBy() {
        ColumnType map = new ColumnType.MapOf(FLAT.getFirst(), FLAT.getFirst(), true);
        RowSchema schema = TestValues.schema(new ColumnType.ListOf(map, true));
        try (BufferAllocator allocator = new RootAllocator()) {
            assertThatThrownBy(
                            () ->
                                    KeyEncoder.ordered(
                                            List.of(new SortKey(0, false, false)),
                                            schema,
                                            allocator))
                    .isInstanceOf(SpillwayException.class)
                    .hasMessageContaining("'c0'");
        }
    }

    @Test
    void withoutKeysAllRowsAreEqual() {
        RowSchema schema = TestValues.schema(new ColumnType.Utf8());
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch batch =
                        TestValues.batch(allocator, new ColumnType.Utf8(), "a", null, "b");
                KeyEncoder encoder = KeyEncoder.equal(List.of(), schema, allocator);
                EncodedKeys keys = encoder.encode(batch)) {
            assertThat(compare(keys, 0, keys, 1)).isZero();
            assertThat(compare(keys, 0, keys, 2)).isZero();
        }
    }

    @Test
    void aNullWhereNoneMayBeIsRefused() {
        ColumnType type = new ColumnType.Int(64, true);
        RowSchema strict = new RowSchema(List.of(new ColumnSchema("id", type, false)));
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch batch = TestValues.batch(allocator, type, BigInteger.ONE, null);
                KeyEncoder encoder = KeyEncoder.equal(List.of(0), strict, allocator)) {
            assertThat(encoder.width()).isEqualTo(Long.BYTES);
            assertThatThrownBy(() -> encoder.encode(batch))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'id'");
        }
    }

    @Test
    void marksRowsWithANullKey() {
        ColumnType type = new ColumnType.Utf8();
        try (BufferAllocator allocator = new RootAllocator();
                RecordBatch batch = TestValues.batch(allocator, type, "a", null, "b", null)) {
            boolean[] marks = new boolean[4];
            assertThat(KeyNulls.mark(batch, List.of(0), marks)).isEqualTo(2);
            assertThat(marks).containsExactly(false, true, false, true);
        }
    }
}
