package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.RandomValues;
import io.spillway.expression.TestValues;
import io.spillway.operator.Streams;
import io.spillway.operator.key.SortKey;
import io.spillway.testing.NestedValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Rows, keys and calls at random. The first column is an integer that makes many keys. */
record AggregateCase(
        RowSchema schema,
        List<List<@Nullable Object>> rows,
        List<Integer> keys,
        List<AggregateCall> calls,
        RowSchema output,
        long seed) {

    static final List<ColumnType> FLAT =
            List.of(
                    new ColumnType.Bool(),
                    new ColumnType.Int(8, true),
                    new ColumnType.Int(16, false),
                    new ColumnType.Int(32, true),
                    new ColumnType.Int(64, true),
                    new ColumnType.Int(64, false),
                    new ColumnType.FloatingPoint(16),
                    new ColumnType.FloatingPoint(32),
                    new ColumnType.FloatingPoint(64),
                    new ColumnType.Decimal(9, 2),
                    new ColumnType.Decimal(36, 5),
                    new ColumnType.Utf8(),
                    new ColumnType.Binary(),
                    new ColumnType.FixedBinary(5),
                    new ColumnType.Date(),
                    new ColumnType.Time(ColumnType.TimeUnit.MILLI),
                    new ColumnType.Timestamp(ColumnType.TimeUnit.MICRO, true));

    private static final ColumnType BOOL = new ColumnType.Bool();
    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final ColumnType FLOAT64 = new ColumnType.FloatingPoint(64);

    /**
     * A case.
     *
     * @param functions that calls may have
     * @param manyKeys how many values the first column has
     */
    static AggregateCase random(
            List<AggregateFunction> functions, int maxRows, int manyKeys, long seed) {
        Random random = new Random(seed);
        List<ColumnType> types = new ArrayList<>(List.of(new ColumnType.Int(32, true), BOOL));
        for (int i = 2 + random.nextInt(4); i > 0; i--) {
            types.add(
                    random.nextInt(5) == 0
                            ? NestedValues.type(FLAT, 2, random)
                            : FLAT.get(random.nextInt(FLAT.size())));
        }
        RowSchema schema = TestValues.schema(types.toArray(ColumnType[]::new));
        List<List<@Nullable Object>> rows = rows(types, random.nextInt(maxRows), manyKeys, random);
        List<Integer> keys = new ArrayList<>();
        if (random.nextInt(6) > 0) {
            if (random.nextInt(3) > 0) {
                keys.add(0);
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                keys.add(random.nextInt(types.size()));
            }
        }
        List<AggregateCall> calls = new ArrayList<>();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            AggregateCall call =
                    call(functions.get(random.nextInt(functions.size())), types, rows, random);
            if (call != null) {
                calls.add(call);
            }
        }
        List<ColumnSchema> output = new ArrayList<>();
        keys.forEach(
                key -> output.add(new ColumnSchema("k" + output.size(), types.get(key), true)));
        calls.forEach(call -> output.add(new ColumnSchema("m" + output.size(), call.type(), true)));
        return new AggregateCase(schema, rows, keys, calls, new RowSchema(output), seed);
    }

    private static List<List<@Nullable Object>> rows(
            List<ColumnType> types, int count, int manyKeys, Random random) {
        List<List<@Nullable Object>> pools = new ArrayList<>();
        for (ColumnType type : types) {
            List<@Nullable Object> pool = new ArrayList<>();
            pool.add(null);
            for (int i = 1 + random.nextInt(12); i > 0; i--) {
                pool.add(RandomValues.value(type, random));
            }
            pools.add(pool);
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int r = 0; r < count; r++) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(random.nextInt(20) == 0 ? null : BigInteger.valueOf(random.nextInt(manyKeys)));
            for (int c = 1; c < types.size(); c++) {
                List<@Nullable Object> pool = pools.get(c);
                row.add(pool.get(random.nextInt(pool.size())));
            }
            rows.add(row);
        }
        return rows;
    }

    private static boolean isNumber(ColumnType type) {
        return type instanceof ColumnType.Int
                || type instanceof ColumnType.FloatingPoint
                || type instanceof ColumnType.Decimal;
    }

    /** Whether sums of some of a column's values may not fit. */
    private static boolean overflows(
            int column, ColumnType type, List<List<@Nullable Object>> rows) {
        return switch (type) {
            case ColumnType.Int(int bits, boolean _) -> bits == Long.SIZE;
            case ColumnType.Decimal _ ->
                    rows.stream()
                                    .map(row -> row.get(column))
                                    .filter(BigDecimal.class::isInstance)
                                    .map(value -> ((BigDecimal) value).unscaledValue().abs())
                                    .reduce(BigInteger.ZERO, BigInteger::add)
                                    .compareTo(BigInteger.TEN.pow(38))
                            >= 0;
            default -> false;
        };
    }

    private static boolean hasOrder(ColumnType type) {
        return !type.toString().contains("map<");
    }

    /** A call, or null if no column fits. */
    private static @Nullable AggregateCall call(
            AggregateFunction function,
            List<ColumnType> types,
            List<List<@Nullable Object>> rows,
            Random random) {
        List<Integer> fitting = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            ColumnType type = types.get(i);
            boolean fits =
                    switch (function) {
                        // Sums of many extremes overflow: those have tests of their own.
                        case SUM -> isNumber(type) && !overflows(i, type, rows);
                        case AVG, STDDEV_SAMP, STDDEV_POP, VAR_SAMP, VAR_POP, PERCENTILE_CONT ->
                                isNumber(type);
                        case BOOL_AND, BOOL_OR -> type.equals(BOOL);
                        case MIN, MAX, PERCENTILE_DISC -> hasOrder(type);
                        default -> true;
                    };
            if (fits) {
                fitting.add(i);
            }
        }
        if (fitting.isEmpty()) {
            return null;
        }
        int argument = fitting.get(random.nextInt(fitting.size()));
        ColumnType type = types.get(argument);
        List<Integer> arguments =
                switch (function) {
                    case COUNT_ROWS -> List.of();
                    case COUNT ->
                            random.nextBoolean()
                                    ? List.of(argument)
                                    : List.of(argument, random.nextInt(types.size()));
                    default -> List.of(argument);
                };
        return new AggregateCall(
                function,
                arguments,
                function != AggregateFunction.COUNT_ROWS && random.nextInt(4) == 0,
                random.nextInt(4) == 0 ? 1 : null,
                order(function, argument, types, random),
                switch (function) {
                    case PERCENTILE_CONT, PERCENTILE_DISC ->
                            List.of(
                                    new Expression.Literal(
                                            FLOAT64,
                                            List.of("0.0", "0.25", "0.5", "0.9", "1.0")
                                                    .get(random.nextInt(5))));
                    default -> List.of();
                },
                result(function, type));
    }

    static ColumnType result(AggregateFunction function, ColumnType type) {
        return switch (function) {
            case COUNT, COUNT_ROWS, APPROX_COUNT_DISTINCT -> INT64;
            case SUM ->
                    switch (type) {
                        case ColumnType.Decimal(int _, int scale) ->
                                new ColumnType.Decimal(38, scale);
                        case ColumnType.FloatingPoint _ -> FLOAT64;
                        default -> INT64;
                    };
            case AVG, STDDEV_SAMP, STDDEV_POP, VAR_SAMP, VAR_POP, PERCENTILE_CONT -> FLOAT64;
            case BOOL_AND, BOOL_OR -> BOOL;
            case ARRAY_AGG -> new ColumnType.ListOf(type, true);
            case MIN, MAX, PERCENTILE_DISC, ANY_VALUE, FIRST, LAST, SINGLE_VALUE -> type;
        };
    }

    private static List<SortKey> order(
            AggregateFunction function, int argument, List<ColumnType> types, Random random) {
        return switch (function) {
            case PERCENTILE_CONT, PERCENTILE_DISC ->
                    List.of(new SortKey(argument, random.nextBoolean(), false));
            case FIRST, LAST, ARRAY_AGG -> {
                List<SortKey> order = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    int column = random.nextInt(types.size());
                    if (hasOrder(types.get(column))) {
                        order.add(new SortKey(column, random.nextBoolean(), random.nextBoolean()));
                    }
                }
                yield order;
            }
            default -> List.of();
        };
    }

    AggregateCase withoutDistinct() {
        List<AggregateCall> plain =
                calls.stream()
                        .map(
                                call ->
                                        new AggregateCall(
                                                call.function(),
                                                call.arguments(),
                                                false,
                                                call.filter(),
                                                call.order(),
                                                call.parameters(),
                                                call.type()))
                        .toList();
        return new AggregateCase(schema, rows, keys, plain, output, seed);
    }

    AggregateOperator operator() {
        RowSchema input = schema;
        return new AggregateOperator(input, keys, calls, output);
    }

    List<List<@Nullable Object>> expected() {
        return new NaiveAggregate(schema).aggregate(rows, keys, calls);
    }

    /** The rows in batches of any size, some columns of which have dictionaries. */
    BatchStream input(int maxBatch, BufferAllocator allocator) {
        Random random = new Random(seed + 1);
        List<RecordBatch> batches = new ArrayList<>();
        for (int from = 0; from < rows.size(); ) {
            int count = Math.min(rows.size() - from, random.nextInt(maxBatch + 1));
            batches.add(batch(rows.subList(from, from + count), random, allocator));
            from += count;
        }
        return Streams.of(schema, batches);
    }

    private RecordBatch batch(
            List<List<@Nullable Object>> some, Random random, BufferAllocator allocator) {
        List<ColumnVector> columns = new ArrayList<>();
        for (int c = 0; c < schema.size(); c++) {
            int column = c;
            ColumnType type = schema.column(c).type();
            List<@Nullable Object> values = new ArrayList<>();
            some.forEach(row -> values.add(row.get(column)));
            columns.add(
                    type.isNested() || random.nextInt(3) > 0
                            ? TestValues.plain(type, values, allocator)
                            : TestValues.encoded(type, values, List.of(), random, allocator));
        }
        return new RecordBatch(schema, columns, some.size());
    }
}
