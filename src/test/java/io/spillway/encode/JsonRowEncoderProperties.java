package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.testing.NestedValues;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SequencedMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Any schema, any rows, any form of the columns, cut anywhere. */
class JsonRowEncoderProperties {

    private static final int TRIES = 150;

    /** One generated case; values follow from the seed. */
    record Case(List<ColumnType> types, int rows, RowFormat format, long seed) {

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
    }

    @Provide
    Arbitrary<Case> cases() {
        List<ColumnType> flat =
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
        Arbitrary<ColumnType> nested =
                Arbitraries.randomValue(random -> NestedValues.type(flat, 3, random));
        Arbitrary<ColumnType> type =
                Arbitraries.frequencyOf(Tuple.of(6, Arbitraries.of(flat)), Tuple.of(1, nested));
        Arbitrary<RowFormat> format =
                Combinators.combine(
                                Arbitraries.of(RowFormat.Layout.class),
                                Arbitraries.of(true, false),
                                Arbitraries.of(true, false),
                                Arbitraries.of(true, false))
                        .as(RowFormat::new);
        return Combinators.combine(
                        type.list().ofMinSize(1).ofMaxSize(12),
                        Arbitraries.integers().between(1, 1500),
                        format,
                        Arbitraries.longs())
                .as(JsonRowEncoderProperties::sized);
    }

    /** Nested values are many in a row: fewer rows are enough. */
    private static Case sized(List<ColumnType> types, int rows, RowFormat format, long seed) {
        boolean nested = types.stream().anyMatch(ColumnType::isNested);
        return new Case(types, nested ? 1 + rows / 10 : rows, format, seed);
    }

    @Property(tries = TRIES)
    void whatIsParsedIsWhatWasEncoded(@ForAll("cases") Case c) {
        RowFormat lines =
                new RowFormat(
                        RowFormat.Layout.LINES,
                        c.format.arrays(),
                        c.format.stringNumbers(),
                        c.format.replaceInvalidText());
        List<List<@Nullable Object>> values = c.values();
        try (Encoding encoding = new Encoding();
                RecordBatch batch = batch(c, values, 0.5, encoding)) {
            List<JsonNode> rows = Encoding.parseLines(encoding.all(c.schema(), lines, batch));
            assertThat(rows).hasSize(c.rows);
            for (int r = 0; r < c.rows; r++) {
                assertThat(rows.get(r).size()).isEqualTo(c.types.size());
                for (int i = 0; i < c.types.size(); i++) {
                    JsonNode node =
                            lines.arrays() ? rows.get(r).get(i) : rows.get(r).get("c\"" + i);
                    check(c.types.get(i), values.get(i).get(r), node, lines.stringNumbers());
                }
            }
        }
    }

    @Property(tries = TRIES)
    void theFormOfColumnsNeverShows(@ForAll("cases") Case c) {
        List<List<@Nullable Object>> values = c.values();
        try (Encoding encoding = new Encoding();
                RecordBatch plain = batch(c, values, 0, encoding);
                RecordBatch encoded = batch(c, values, 1, encoding);
                RecordBatch mixed = batch(c, values, 0.5, encoding)) {
            byte[] text = encoding.all(c.schema(), c.format, plain);
            assertThat(encoding.all(c.schema(), c.format, encoded)).isEqualTo(text);
            assertThat(encoding.all(c.schema(), c.format, mixed)).isEqualTo(text);
        }
    }

    @Property(tries = TRIES)
    void cutsNeverShow(@ForAll("cases") Case c) {
        Random random = new Random(c.seed);
        try (Encoding encoding = new Encoding();
                RecordBatch batch = batch(c, c.values(), 0.5, encoding);
                BatchEncoder encoder = BatchEncoders.json(c.schema(), c.format)) {
            byte[] text = encoding.all(c.schema(), c.format, batch);
            ByteArrayOutputStream parts = new ByteArrayOutputStream();
            for (int row = 0; row < c.rows; ) {
                int to = row + 1 + random.nextInt(Math.min(c.rows - row, 400));
                if (random.nextBoolean()) {
                    parts.writeBytes(encoding.range(encoder, batch, row, to));
                } else {
                    try (RecordBatch slice = batch.slice(row, to - row)) {
                        parts.writeBytes(encoding.range(encoder, slice, 0, to - row));
                    }
                }
                row = to;
            }
            assertThat(parts.toByteArray()).isEqualTo(text);
        }
    }

    private static RecordBatch batch(
            Case c, List<List<@Nullable Object>> values, double encoded, Encoding encoding) {
        Random random = new Random(c.seed);
        List<ColumnVector> vectors = new ArrayList<>();
        RowSchema schema = c.schema();
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
                    NestedValues.value(type, random, JsonRowEncoderProperties::value);
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

    private static void check(
            ColumnType type, @Nullable Object value, JsonNode node, boolean strings) {
        if (value == null) {
            assertThat(node.isNull()).isTrue();
            return;
        }
        switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) -> {
                assertThat(node.isArray()).isTrue();
                assertThat(node.size()).isEqualTo(((List<?>) value).size());
                for (int i = 0; i < node.size(); i++) {
                    check(element, ((List<?>) value).get(i), node.get(i), strings);
                }
            }
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                assertThat(node.propertyNames())
                        .containsExactlyElementsOf(
                                fields.stream().map(ColumnSchema::name).toList());
                for (int i = 0; i < fields.size(); i++) {
                    ColumnSchema field = fields.get(i);
                    check(field.type(), ((List<?>) value).get(i), node.get(field.name()), strings);
                }
            }
            case ColumnType.MapOf(ColumnType.Utf8 _, ColumnType of, boolean _) -> {
                SequencedMap<String, @Nullable Object> last = new LinkedHashMap<>();
                for (Object pair : (List<?>) value) {
                    byte[] key = (byte[]) Objects.requireNonNull(((List<?>) pair).get(0));
                    last.putLast(new String(key, StandardCharsets.UTF_8), ((List<?>) pair).get(1));
                }
                assertThat(node.propertyNames()).containsExactlyElementsOf(last.keySet());
                last.forEach((key, member) -> check(of, member, node.get(key), strings));
            }
            case ColumnType.MapOf(ColumnType key, ColumnType of, boolean nullable) ->
                    check(
                            new ColumnType.ListOf(
                                    new ColumnType.Struct(
                                            List.of(
                                                    new ColumnSchema("key", key, false),
                                                    new ColumnSchema("value", of, nullable))),
                                    false),
                            value,
                            node,
                            strings);
            case ColumnType.Bool() -> assertThat(node.booleanValue()).isEqualTo(value);
            case ColumnType.Int(int bits, boolean signed) -> {
                String digits = signed ? value.toString() : Long.toUnsignedString((Long) value);
                boolean quoted = strings && bits == Long.SIZE;
                assertThat(node.isString()).isEqualTo(quoted);
                assertThat(quoted ? node.stringValue() : node.bigIntegerValue().toString())
                        .isEqualTo(digits);
            }
            case ColumnType.FloatingPoint(int bits) -> {
                double expected =
                        switch (bits) {
                            case Short.SIZE -> Float.float16ToFloat((Short) value);
                            case Integer.SIZE -> (Float) value;
                            default -> (Double) value;
                        };
                String read = node.isString() ? node.stringValue() : node.decimalValue().toString();
                assertThat(node.isString()).isEqualTo(!Double.isFinite(expected));
                double parsed =
                        switch (bits) {
                            case Short.SIZE ->
                                    Float.float16ToFloat(
                                            Float.floatToFloat16(Float.parseFloat(read)));
                            case Integer.SIZE -> Float.parseFloat(read);
                            default -> Double.parseDouble(read);
                        };
                // The parser's decimal has no sign of zero: that is tested elsewhere.
                assertThat((Double) (parsed + 0.0)).isEqualTo(Double.valueOf(expected + 0.0));
            }
            case ColumnType.Decimal _ -> {
                assertThat(node.isString()).isEqualTo(strings);
                assertThat(
                                strings
                                        ? new BigDecimal(node.stringValue())
                                        : new BigDecimal(node.numberValue().toString()))
                        .isEqualTo(value);
            }
            case ColumnType.Utf8() ->
                    assertThat(node.stringValue())
                            .isEqualTo(new String((byte[]) value, StandardCharsets.UTF_8));
            case ColumnType.Binary(), ColumnType.FixedBinary _ ->
                    assertThat(Base64.getDecoder().decode(node.stringValue())).isEqualTo(value);
            case ColumnType.Date() ->
                    assertThat(LocalDate.parse(node.stringValue()).toEpochDay()).isEqualTo(value);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    assertThat(seconds(node.stringValue()).movePointRight(unit.digits()))
                            .isEqualTo(new BigDecimal((Long) value));
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean utc) -> {
                String text = node.stringValue();
                assertThat(text.endsWith("Z")).isEqualTo(utc);
                int t = text.indexOf('T');
                BigDecimal days = BigDecimal.valueOf(epochDay(text.substring(0, t)));
                BigDecimal seconds = seconds(text.substring(t + 1, text.length() - (utc ? 1 : 0)));
                assertThat(
                                days.multiply(BigDecimal.valueOf(86_400))
                                        .add(seconds)
                                        .movePointRight(unit.digits()))
                        .isEqualTo(new BigDecimal((Long) value));
            }
        }
    }

    private static BigDecimal seconds(String time) {
        return BigDecimal.valueOf(
                        Long.parseLong(time.substring(0, 2)) * 3600
                                + Long.parseLong(time.substring(3, 5)) * 60)
                .add(new BigDecimal(time.substring(6)));
    }

    /** The calendar repeats every 400 years, so that years beyond Java's can be moved into them. */
    private static long epochDay(String date) {
        int end = date.length() - "-mm-dd".length();
        long year = Long.parseLong(date.substring(0, end));
        long eras = Math.floorDiv(year, 400);
        LocalDate moved =
                LocalDate.of(
                        (int) Math.floorMod(year, 400L),
                        Integer.parseInt(date.substring(end + 1, end + 3)),
                        Integer.parseInt(date.substring(end + 4)));
        return moved.toEpochDay() + eras * 146_097;
    }
}
