package io.spillway.scan.ndjson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.text.TextScans;
import io.spillway.storage.FileStatus;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** NDJSON files: what their columns are, and their rows against a whole parser's. */
class NdjsonRowsTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir Path folder;

    private TextScans scans(int partition) {
        return new TextScans(folder, NdjsonSyntax.DEFAULT, partition);
    }

    private static List<String> types(RowSchema schema) {
        return schema.columns().stream().map(c -> c.name() + " " + c.type()).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"v":1} {"v":-5}                               | int64
                    {"v":1} {"v":2.5}                              | float64
                    {"v":true} {"v":null} {}                       | bool
                    {"v":null} {"v":null}                          | utf8
                    {"v":12345678901234567890}                     | decimal(38,0)
                    {"v":9007199254740993} {"v":0.5}               | decimal(38,1)
                    {"v":9007199254740993} {"v":1e5}               | utf8
                    {"v":1e400}                                    | utf8
                    {"v":-0} {"v":1}                               | float64
                    {"v":5} {"v":"0042"} {"v":{"b":2}}             | utf8
                    {"v":"2024-01-01"}                             | utf8
                    {"v":true} {"v":1}                             | utf8
                    {"v":[1]} {"v":[]} {"v":[2.5,null]}            | list<float64>
                    {"v":[]}                                       | list<utf8>
                    {"v":[1]} {"v":2}                              | utf8
                    {"v":{"a":1}} {"v":{"b":"x"}} {"v":{}}         | struct<a int64,b utf8>
                    {"v":{"a":{"b":null}}} {"v":{"a":{"b":[1]}}}   | struct<a struct<b list<int64>>>
                    {"v":{}}                                       | utf8
                    """)
    void theNarrowestTypeThatHoldsAllValuesIsTakenInAnyOrder(String lines, String type) {
        List<String> all = new ArrayList<>(List.of(lines.split(" ", -1)));
        try (TextScans scans = scans(8)) {
            for (int i = 0; i < 2; i++) {
                FileStatus file = scans.write(String.join("\n", all) + "\n");
                ColumnType found = scans.schema(file).column(0).type();
                assertThat(found.toString().replace(", ", ",")).isEqualTo(type);
                assertThat(scans.rows(file, 3)).hasSize(all.size());
                if (type.startsWith("struct")) {
                    break; // the order of fields is that in which they appear
                }
                all = all.reversed();
            }
        }
    }

    @Test
    void aValueThatComesLateChangesNothingOfThoseBefore() {
        StringBuilder text = new StringBuilder("\uFEFF");
        for (int i = 0; i < 40_000; i++) {
            text.append("{\"code\":5}\n");
        }
        text.append("{\"code\":\"0042\"}\r\n\n  \n{\"code\":null}\n{}\n{\"code\":{\"b\": 2 }}");
        try (TextScans scans = scans(64 << 10)) {
            FileStatus file = scans.write(text.toString());
            List<List<@Nullable String>> rows = scans.rows(file, 1000);
            assertThat(rows).hasSize(40_004);
            assertThat(rows.get(39_999)).containsExactly("5");
            assertThat(rows.subList(40_000, 40_004))
                    .extracting(row -> row.getFirst())
                    .containsExactly("0042", null, null, "{\"b\": 2 }");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"a":1}~{"a":1,"a":2}~       | 2 | twice
                    {"a":1}~~{"a":1} {"a":2}~    | 3 | behind its JSON object
                    {"a":1}~{"a":1~{"a":2}~      | 2 | is not valid JSON
                    {"a":~1}~                    | 1 | does not end
                    [1]~                         | 1 | not a JSON object
                    {"a":1}~5~                   | 2 | not a JSON object
                    {"a":1}~{"a":01}~            | 2 | is not valid JSON
                    {"a":1}~{"a":'x'}~           | 2 | is not valid JSON
                    {"a":1}~{"a":"x              | 2 | is not valid JSON
                    """)
    void whatIsNotOneObjectALineIsRefusedByLine(String text, long line, String message) {
        try (TextScans scans = scans(1 << 20)) {
            FileStatus file = scans.write(text.replace('~', '\n'));
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> scans.schema(file))
                    .satisfies(
                            e -> {
                                assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
                                assertThat(e.context())
                                        .containsEntry("line", line)
                                        .containsEntry("file", file.uri());
                            })
                    .withMessageContaining(message);
        }
    }

    @Test
    void nestingAndNamesHaveBounds() {
        try (TextScans scans = scans(1 << 20)) {
            String deep = "{\"a\":".repeat(100) + "1" + "}".repeat(100);
            FileStatus file = scans.write(deep);
            assertThat(scans.rows(file, 1)).hasSize(1);
            FileStatus deeper = scans.write("{\"a\":" + "[".repeat(100_000));
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> scans.schema(deeper));
            StringBuilder names = new StringBuilder();
            for (int i = 0; i < 11_000; i++) {
                names.append("{\"f").append(i).append("\":1}\n");
            }
            FileStatus many = scans.write(names.toString());
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> scans.schema(many))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_SUPPORTED));
        }
    }

    @Test
    void givenTypesAreReadAsCastsRead() {
        Map<String, ?> options =
                Map.of("columns", "{\"d\":\"date\",\"n\":\"decimal(10,2)\",\"gone\":\"int8\"}");
        try (TextScans scans = TextScans.with(folder, NdjsonSyntax.DEFAULT, options)) {
            FileStatus file =
                    scans.write("{\"n\":1.5,\"d\":\"1970-01-02\",\"x\":1}\n{\"n\":\"3\"}");
            assertThat(types(scans.schema(file)))
                    .containsExactly("n decimal(10,2)", "d date", "x int64", "gone int8");
            assertThat(scans.rows(file, 9).toString())
                    .isEqualTo("[[1.50, 1, 1, null], [3.00, null, null, null]]");
            FileStatus wrong = scans.write("{\"n\":1}\n{\"d\":5}\n");
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> scans.rows(wrong, 9))
                    .satisfies(
                            e -> {
                                assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CAST);
                                assertThat(e.context())
                                        .containsEntry("line", 2L)
                                        .containsEntry("column", "d");
                            });
        }
    }

    // ---- against a whole parser

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void rowsAreWhatAWholeParserFinds(long seed) {
        Random random = new Random(seed);
        List<ObjectNode> documents = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            ObjectNode document = MAPPER.createObjectNode();
            for (int c = 0; c < 6; c++) {
                if (random.nextInt(5) > 0) {
                    document.set("c" + c, value(random, c, 0));
                }
            }
            documents.add(document);
            text.append(document).append(random.nextBoolean() ? "\n" : " \r\n");
        }
        try (TextScans scans = scans(1 + random.nextInt(4_000))) {
            FileStatus file = scans.write(text.toString());
            RowSchema schema = scans.schema(file);
            List<List<@Nullable String>> expected = new ArrayList<>();
            for (ObjectNode document : documents) {
                List<@Nullable String> row = new ArrayList<>();
                for (ColumnSchema column : schema.columns()) {
                    row.add(text(document.get(column.name()), column.type()));
                }
                expected.add(row);
            }
            assertThat(scans.rows(file, 1 + random.nextInt(100))).isEqualTo(expected);
        }
    }

    private static JsonNode value(Random random, int column, int depth) {
        int kind = column < 4 ? column : random.nextInt(depth > 2 ? 4 : 7);
        return switch (random.nextInt(12) == 0 ? -1 : kind) {
            case -1 -> MAPPER.getNodeFactory().nullNode();
            case 0 -> MAPPER.getNodeFactory().numberNode(random.nextLong() >> random.nextInt(64));
            case 1 -> MAPPER.getNodeFactory().stringNode(string(random));
            case 2 -> MAPPER.getNodeFactory().numberNode(random.nextGaussian() * 1000);
            case 3 -> MAPPER.getNodeFactory().booleanNode(random.nextBoolean());
            case 4 -> {
                ArrayNode array = MAPPER.createArrayNode();
                int length = random.nextInt(4);
                for (int i = 0; i < length; i++) {
                    array.add(value(random, 4, depth + 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = MAPPER.createObjectNode();
                for (int i = random.nextInt(3); i < 4; i++) {
                    object.set("f" + i, value(random, depth < 2 ? i : 6, depth + 1));
                }
                yield object;
            }
        };
    }

    private static String string(Random random) {
        String letters = "ab\"\\\n\t\u0001é漢😀 /";
        StringBuilder text = new StringBuilder();
        int[] points = letters.codePoints().toArray();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }

    private static @Nullable String text(@Nullable JsonNode node, ColumnType type) {
        if (node == null || node.isNull()) {
            return null;
        }
        return switch (type) {
            case ColumnType.Utf8 _ -> node.isString() ? node.stringValue() : node.toString();
            case ColumnType.FloatingPoint _ -> Double.toString(node.doubleValue());
            case ColumnType.Decimal(int _, int scale) ->
                    new BigDecimal(node.toString()).setScale(scale).toPlainString();
            case ColumnType.ListOf(ColumnType element, boolean _) -> {
                List<String> elements = new ArrayList<>();
                node.forEach(each -> elements.add(inner(each, element)));
                yield "[" + String.join(", ", elements) + "]";
            }
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                List<String> values = new ArrayList<>();
                for (ColumnSchema field : fields) {
                    values.add(
                            "\"%s\": %s"
                                    .formatted(
                                            field.name(),
                                            inner(node.get(field.name()), field.type())));
                }
                yield "{" + String.join(", ", values) + "}";
            }
            case ColumnType _ -> node.toString();
        };
    }

    private static String inner(@Nullable JsonNode node, ColumnType type) {
        String text = text(node, type);
        return text == null
                ? "null"
                : type instanceof ColumnType.Utf8
                        ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
                        : text;
    }
}
