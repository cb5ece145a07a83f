package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SequencedMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Any schema, any rows, any form of the columns, cut anywhere. */
class JsonRowEncoderProperties {

    private static final int TRIES = 150;

    /** Rows in a format. */
    record Case(RandomRows data, JsonFormat format) {

        int rows() {
            return data.rows();
        }

        RowSchema schema() {
            return data.schema();
        }

        List<List<@Nullable Object>> values() {
            return data.values();
        }

        RecordBatch batch(List<List<@Nullable Object>> values, double encoded, Encoding encoding) {
            return data.batch(values, encoded, encoding);
        }
    }

    @Provide
    Arbitrary<Case> cases() {
        Arbitrary<JsonFormat> format =
                Combinators.combine(
                                Arbitraries.of(JsonFormat.Layout.class),
                                Arbitraries.of(true, false),
                                Arbitraries.of(true, false),
                                Arbitraries.of(true, false))
                        .as(JsonFormat::new);
        return Combinators.combine(RandomRows.any(), format).as(Case::new);
    }

    @Property(tries = TRIES)
    void whatIsParsedIsWhatWasEncoded(@ForAll("cases") Case c) {
        JsonFormat lines =
                new JsonFormat(
                        JsonFormat.Layout.LINES,
                        c.format.arrays(),
                        c.format.stringNumbers(),
                        c.format.replaceInvalidText());
        List<List<@Nullable Object>> values = c.values();
        try (Encoding encoding = new Encoding();
                RecordBatch batch = c.batch(values, 0.5, encoding)) {
            List<JsonNode> rows = Encoding.parseLines(encoding.all(c.schema(), lines, batch));
            assertThat(rows).hasSize(c.rows());
            for (int r = 0; r < c.rows(); r++) {
                assertThat(rows.get(r).size()).isEqualTo(c.data.types().size());
                for (int i = 0; i < c.data.types().size(); i++) {
                    JsonNode node =
                            lines.arrays() ? rows.get(r).get(i) : rows.get(r).get("c\"" + i);
                    check(c.data.types().get(i), values.get(i).get(r), node, lines.stringNumbers());
                }
            }
        }
    }

    @Property(tries = TRIES)
    void theFormOfColumnsNeverShows(@ForAll("cases") Case c) {
        List<List<@Nullable Object>> values = c.values();
        try (Encoding encoding = new Encoding();
                RecordBatch plain = c.batch(values, 0, encoding);
                RecordBatch encoded = c.batch(values, 1, encoding);
                RecordBatch mixed = c.batch(values, 0.5, encoding)) {
            byte[] text = encoding.all(c.schema(), c.format, plain);
            assertThat(encoding.all(c.schema(), c.format, encoded)).isEqualTo(text);
            assertThat(encoding.all(c.schema(), c.format, mixed)).isEqualTo(text);
        }
    }

    @Property(tries = TRIES)
    void cutsNeverShow(@ForAll("cases") Case c) {
        Random random = new Random(c.data.seed());
        try (Encoding encoding = new Encoding();
                RecordBatch batch = c.batch(c.values(), 0.5, encoding);
                BatchEncoder encoder = BatchEncoders.of(c.schema(), c.format)) {
            byte[] text = encoding.all(c.schema(), c.format, batch);
            ByteArrayOutputStream parts = new ByteArrayOutputStream();
            for (int row = 0; row < c.rows(); ) {
                int to = row + 1 + random.nextInt(Math.min(c.rows() - row, 400));
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
