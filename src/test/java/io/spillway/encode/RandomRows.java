package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.testing.NestedValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/** Rows of any schema; their values follow from the seed. */
record RandomRows(List<ColumnType> types, int rows, long seed) {

    /** All types that are not nested. */
    static final List<ColumnType> FLAT =
            Stream.of(
                            "bool",
                            "int8",
                            "int16",
                            "int32",
                            "int64",
                            "uint8",
                            "uint16",
                            "uint32",
                            "uint64",
                            "float16",
                            "float32",
                            "float64",
                            "decimal(10,2)",
                            "decimal(38,0)",
                            "decimal(38,38)",
                            "utf8",
                            "binary",
                            "binary(5)",
                            "date",
                            "time(s)",
                            "time(ms)",
                            "time(us)",
                            "time(ns)",
                            "timestamp(s)",
                            "timestamp(ms,UTC)",
                            "timestamp(us)",
                            "timestamp(ns,UTC)")
                    .map(ColumnType::parse)
                    .toList();

    static Arbitrary<RandomRows> any() {
        Arbitrary<ColumnType> nested =
                Arbitraries.randomValue(random -> NestedValues.type(FLAT, 3, random));
        Arbitrary<ColumnType> type =
                Arbitraries.frequencyOf(Tuple.of(6, Arbitraries.of(FLAT)), Tuple.of(1, nested));
        return Combinators.combine(
                        type.list().ofMinSize(1).ofMaxSize(12),
                        Arbitraries.integers().between(1, 1500),
                        Arbitraries.longs())
                .as(RandomRows::sized);
    }

    /** The same where no property runs. */
    static RandomRows of(Random random) {
        List<ColumnType> types = new ArrayList<>();
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            types.add(
                    random.nextBoolean()
                            ? FLAT.get(random.nextInt(FLAT.size()))
                            : NestedValues.type(FLAT, 3, random));
        }
        return sized(types, 1 + random.nextInt(1500), random.nextLong());
    }

    /** Nested values are many in a row: fewer rows are enough. */
    private static RandomRows sized(List<ColumnType> types, int rows, long seed) {
        boolean nested = types.stream().anyMatch(ColumnType::isNested);
        return new RandomRows(types, nested ? 1 + rows / 10 : rows, seed);
    }

    RowSchema schema() {
        List<ColumnSchema> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(new ColumnSchema("c\"" + i, types.get(i), true));
        }
        return new RowSchema(columns);
    }

    List<List<@Nullable Object>> values() {
        Random random = new Random(seed);
        List<List<@Nullable Object>> columns = new ArrayList<>();
        for (ColumnType type : types) {
            int distinct = 1 + random.nextInt(random.nextBoolean() ? 5 : 500);
            List<Object> pool = new ArrayList<>();
            for (int i = 0; i < distinct; i++) {
                pool.add(value(type, random));
            }
            int nulls = random.nextInt(3);
            List<@Nullable Object> column = new ArrayList<>();
            for (int r = 0; r < rows; r++) {
                boolean isNull = nulls > 0 && random.nextInt(4 * nulls) == 0;
                column.add(isNull ? null : pool.get(random.nextInt(distinct)));
            }
            columns.add(column);
        }
        return columns;
    }

    /**
     * The rows as a batch.
     *
     * @param encoded the share of flat columns that are dictionary-encoded
     */
    RecordBatch batch(List<List<@Nullable Object>> values, double encoded, Encoding encoding) {
        Random random = new Random(seed);
        List<ColumnVector> vectors = new ArrayList<>();
        RowSchema schema = schema();
        for (int i = 0; i < schema.size(); i++) {
            ColumnSchema column = schema.column(i);
            vectors.add(
                    column.type().isNested()
                            ? nested(column, values.get(i), random, encoding)
                            : random.nextDouble() < encoded
                                    ? Vectors.encoded(
                                            column, values.get(i), 0.1, random, encoding.allocator)
                                    : Vectors.plain(column, values.get(i), encoding.allocator));
        }
        return Vectors.batch(schema, vectors);
    }

    /** Under nulls, now and then, stands what has no text. */
    private static ColumnVector nested(
            ColumnSchema column, List<@Nullable Object> values, Random random, Encoding encoding) {
        NestedValues.Hidden hidden =
                new NestedValues.Hidden(
                        random,
                        (type, r) ->
                                switch (type) {
                                    case ColumnType.Utf8() when r.nextBoolean() ->
                                            new byte[] {(byte) 0xff};
                                    case ColumnType.Time _ when r.nextBoolean() -> -1L;
                                    default -> value(type, r);
                                });
        return new ColumnVector.Plain(
                Vectors.nested(
                        column, values, random.nextBoolean() ? hidden : null, encoding.allocator));
    }

    private static Object value(ColumnType type, Random random) {
        return switch (type) {
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    NestedValues.value(type, random, RandomRows::value);
            case ColumnType.Bool() -> random.nextBoolean();
            case ColumnType.Int(int bits, boolean signed) -> {
                long value = random.nextLong() >> random.nextInt(Long.SIZE);
                int unused = Long.SIZE - bits;
                yield signed ? value << unused >> unused : value << unused >>> unused;
            }
            case ColumnType.FloatingPoint(int bits) ->
                    switch (bits) {
                        case Short.SIZE -> (short) random.nextInt();
                        case Integer.SIZE ->
                                random.nextBoolean()
                                        ? Float.intBitsToFloat(random.nextInt())
                                        : random.nextInt(1000) / 100f;
                        default ->
                                random.nextBoolean()
                                        ? Double.longBitsToDouble(random.nextLong())
                                        : random.nextInt(100_000) / 100.0;
                    };
            case ColumnType.Decimal(int precision, int scale) ->
                    new BigDecimal(
                            new BigInteger(random.nextInt(127), random)
                                    .mod(BigInteger.TEN.pow(precision))
                                    .multiply(BigInteger.valueOf(random.nextInt(3) - 1)),
                            scale);
            case ColumnType.Utf8() -> text(random).getBytes(StandardCharsets.UTF_8);
            case ColumnType.Binary() -> bytes(random, random.nextInt(60));
            case ColumnType.FixedBinary(int width) -> bytes(random, width);
            case ColumnType.Date() -> (long) random.nextInt();
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    random.nextLong(86_400 * unit.perSecond());
            case ColumnType.Timestamp _ -> random.nextLong() >> random.nextInt(20);
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(random.nextInt(20) == 0 ? 3_000 : 30);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(
                    switch (random.nextInt(12)) {
                        case 0 -> random.nextInt(0x20);
                        case 1 -> '"';
                        case 2 -> '\\';
                        case 3 -> 0x80 + random.nextInt(0x780);
                        case 4 -> 0xe000 + random.nextInt(0x1fff);
                        case 5 -> 0x10000 + random.nextInt(0x100000);
                        default -> 0x20 + random.nextInt(0x60);
                    });
        }
        return text.toString();
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
