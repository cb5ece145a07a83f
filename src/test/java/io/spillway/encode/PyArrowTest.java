package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Arrow streams of random rows, read and validated by pyarrow. */
class PyArrowTest {

    private static final int CASES = 15;

    private static final Path SCRIPT = Path.of("src/test/python/arrow_values.py");

    @TempDir private Path folder;

    @Test
    void whatPyArrowReadsIsWhatWasEncoded() throws Exception {
        Random random = new Random(7);
        List<RandomRows> cases = new ArrayList<>();
        cases.add(new RandomRows(RandomRows.FLAT, 300, 1));
        for (int i = 1; i < CASES; i++) {
            cases.add(RandomRows.of(random));
        }
        List<Path> files = new ArrayList<>();
        for (RandomRows c : cases) {
            files.add(write(c));
        }
        List<JsonNode> read = read(files);
        assertThat(read).hasSameSizeAs(cases);
        for (int i = 0; i < cases.size(); i++) {
            check(cases.get(i), read.get(i));
        }
    }

    private Path write(RandomRows c) throws IOException {
        try (Encoding encoding = new Encoding();
                RecordBatch batch = c.batch(c.values(), 0.5, encoding)) {
            return Files.write(
                    Files.createTempFile(folder, "rows", ".arrows"),
                    ArrowEncoderProperties.stream(
                            batch, new ArrowFormat(false), encoding, new Random(c.seed()), true));
        }
    }

    private List<JsonNode> read(List<Path> files) throws IOException, InterruptedException {
        String python = System.getProperty("spillway.python", "python3");
        List<String> command = new ArrayList<>(List.of(python, SCRIPT.toString()));
        files.forEach(file -> command.add(file.toString()));
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(
                        "%s, which needs pyarrow (system property spillway.python names the"
                                + " interpreter), says: %s",
                        python, Files.readString(errors))
                .isZero();
        return Files.readAllLines(output).stream().map(Encoding.STRICT::readTree).toList();
    }

    private static void check(RandomRows c, JsonNode read) {
        int rows = 0;
        for (JsonNode batch : read.get("rows")) {
            rows += batch.intValue();
        }
        assertThat(rows).isEqualTo(c.rows());
        List<List<@Nullable Object>> values = c.values();
        for (int i = 0; i < c.types().size(); i++) {
            assertThat(read.get("types").get(i).stringValue()).isEqualTo(name(c.types().get(i)));
            ColumnType list = new ColumnType.ListOf(c.types().get(i), true);
            assertThat(read.get("columns").get(i)).isEqualTo(node(list, values.get(i)));
        }
    }

    /** A type as pyarrow calls it. */
    private static String name(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool(), ColumnType.Int _, ColumnType.Binary() -> type.toString();
            case ColumnType.FloatingPoint(int bits) ->
                    bits == 16 ? "halffloat" : bits == 32 ? "float" : "double";
            case ColumnType.Decimal(int precision, int scale) ->
                    "decimal128(" + precision + ", " + scale + ")";
            case ColumnType.Utf8() -> "string";
            case ColumnType.FixedBinary(int width) -> "fixed_size_binary[" + width + "]";
            case ColumnType.Date() -> "date32[day]";
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    (unit.digits() <= 3 ? "time32[" : "time64[") + unit.symbol() + "]";
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean utc) ->
                    "timestamp[" + unit.symbol() + (utc ? ", tz=UTC]" : "]");
            case ColumnType.ListOf(ColumnType element, boolean nullable) ->
                    "list<element: " + name(element) + notNull(nullable) + ">";
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    "struct<"
                            + String.join(
                                    ", ",
                                    fields.stream()
                                            .map(
                                                    f ->
                                                            f.name()
                                                                    + ": "
                                                                    + name(f.type())
                                                                    + notNull(f.nullable()))
                                            .toList())
                            + ">";
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    "map<" + name(key) + ", " + name(value) + ">";
        };
    }

    private static String notNull(boolean nullable) {
        return nullable ? "" : " not null";
    }

    private static JsonNode node(ColumnType type, @Nullable Object value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (value == null) {
            return nodes.nullNode();
        }
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) -> {
                ArrayNode array = nodes.arrayNode();
                for (Object of : (List<?>) value) {
                    array.add(node(element, of));
                }
                yield array;
            }
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                ArrayNode array = nodes.arrayNode();
                for (int i = 0; i < fields.size(); i++) {
                    array.add(node(fields.get(i).type(), ((List<?>) value).get(i)));
                }
                yield array;
            }
            case ColumnType.MapOf(ColumnType key, ColumnType of, boolean nullable) ->
                    node(
                            new ColumnType.ListOf(
                                    new ColumnType.Struct(
                                            List.of(
                                                    new ColumnSchema("key", key, false),
                                                    new ColumnSchema("value", of, nullable))),
                                    false),
                            value);
            case ColumnType.Int(int _, boolean signed) ->
                    nodes.stringNode(
                            signed ? value.toString() : Long.toUnsignedString((Long) value));
            case ColumnType.Utf8() ->
                    nodes.stringNode(new String((byte[]) value, StandardCharsets.UTF_8));
            case ColumnType flat -> nodes.stringNode(leaf(flat, value));
        };
    }

    private static String leaf(ColumnType type, Object value) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case Double d -> Long.toString(Double.doubleToRawLongBits(d));
            case Float f -> Integer.toString(Float.floatToRawIntBits(f));
            case Short bits -> Integer.toString(Short.toUnsignedInt(bits));
            case BigDecimal d -> d.unscaledValue().toString();
            case Long _, Boolean _ -> value.toString();
            default -> throw new IllegalArgumentException(value + " as " + type);
        };
    }
}
