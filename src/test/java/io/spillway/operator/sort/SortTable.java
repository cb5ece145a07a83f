package io.spillway.operator.sort;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.RandomValues;
import io.spillway.expression.TestValues;
import io.spillway.operator.key.NaiveOrder;
import io.spillway.operator.key.SortKey;
import io.spillway.testing.NestedValues;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rows of random types, with nulls and repeats; the last column has the rows' numbers.
 *
 * @param rows row by row
 */
public record SortTable(List<ColumnType> types, List<List<@Nullable Object>> rows) {

    private static final ColumnType NUMBER = new ColumnType.Int(64, true);

    static final List<ColumnType> FLAT =
            List.of(
                    new ColumnType.Bool(),
                    new ColumnType.Int(8, true),
                    new ColumnType.Int(32, true),
                    new ColumnType.Int(64, true),
                    new ColumnType.Int(16, false),
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
                    new ColumnType.Timestamp(ColumnType.TimeUnit.NANO, true));

    /** Some types, a few of them nested; none holds a map. */
    public static List<ColumnType> types(int count, Random random) {
        List<ColumnType> types = new ArrayList<>();
        while (types.size() < count) {
            ColumnType type =
                    random.nextInt(4) == 0
                            ? NestedValues.type(FLAT, 2, random)
                            : FLAT.get(random.nextInt(FLAT.size()));
            if (!type.toString().contains("map<")) {
                types.add(type);
            }
        }
        return types;
    }

    public static SortTable random(List<ColumnType> types, int count, Random random) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            for (int c = 0; c < types.size(); c++) {
                row.add(
                        switch (random.nextInt(5)) {
                            case 0 -> null;
                            case 1, 2 ->
                                    i == 0
                                            ? RandomValues.value(types.get(c), random)
                                            : rows.get(random.nextInt(i)).get(c);
                            default -> RandomValues.value(types.get(c), random);
                        });
            }
            row.add(BigInteger.valueOf(i));
            rows.add(row);
        }
        List<ColumnType> all = new ArrayList<>(types);
        all.add(NUMBER);
        return new SortTable(all, rows);
    }

    /** Some keys over the columns but the last. */
    public List<SortKey> keys(Random random) {
        List<SortKey> keys = new ArrayList<>();
        for (int c = 0; c < types.size() - 1; c++) {
            keys.add(new SortKey(c, random.nextBoolean(), random.nextBoolean()));
        }
        Collections.shuffle(keys, random);
        return keys.subList(0, random.nextInt(keys.size() + 1));
    }

    public RowSchema schema() {
        return TestValues.schema(types.toArray(ColumnType[]::new));
    }

    /** The rows in batches of random sizes, some columns of which have dictionaries. */
    public List<RecordBatch> batches(int maxRows, Random random, BufferAllocator allocator) {
        List<RecordBatch> batches = new ArrayList<>();
        for (int from = 0; from < rows.size(); ) {
            int count = Math.min(random.nextInt(maxRows + 1), rows.size() - from);
            batches.add(batch(from, count, random, allocator));
            from += count;
        }
        return batches;
    }

    private RecordBatch batch(int from, int count, Random random, BufferAllocator allocator) {
        List<ColumnVector> columns = new ArrayList<>();
        for (int c = 0; c < types.size(); c++) {
            List<@Nullable Object> values = new ArrayList<>();
            for (List<@Nullable Object> row : rows.subList(from, from + count)) {
                values.add(row.get(c));
            }
            columns.add(
                    types.get(c).isNested() || random.nextBoolean()
                            ? TestValues.plain(types.get(c), values, allocator)
                            : TestValues.encoded(
                                    types.get(c), values, List.of(), random, allocator));
        }
        return new RecordBatch(schema(), columns, count);
    }

    /** The rows in the order of keys, stable. */
    public List<List<@Nullable Object>> sorted(List<SortKey> keys) {
        List<List<@Nullable Object>> sorted = new ArrayList<>(rows);
        Comparator<List<@Nullable Object>> order = (a, b) -> compare(keys, a, b);
        sorted.sort(order);
        return sorted;
    }

    /** Compares rows by keys. */
    public int compare(List<SortKey> keys, List<@Nullable Object> a, List<@Nullable Object> b) {
        for (SortKey key : keys) {
            int column = key.column();
            int order = NaiveOrder.compare(key, types.get(column), a.get(column), b.get(column));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
