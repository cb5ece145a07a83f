package io.spillway.encode;

import static io.spillway.encode.Encoding.LINES;
import static io.spillway.encode.Encoding.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NestedJsonTest {

    private final Encoding encoding = new Encoding();

    @AfterEach
    void everythingIsFreed() {
        encoding.close();
    }

    private List<String> rows(String type, @Nullable Object... values) {
        return encoding.rows(LINES, type, values)
                .lines()
                .map(row -> row.substring("{\"v\":".length(), row.length() - 1))
                .toList();
    }

    private static List<@Nullable Object> list(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    @Test
    void noListAnEmptyListAndAListOfNullAreThreeThings() {
        assertThat(
                        rows(
                                "list<struct<y int32>>",
                                list(list(5L)),
                                list(),
                                null,
                                list((Object) null),
                                list(list((Object) null)),
                                list(null, list(6L))))
                .containsExactly(
                        "[{\"y\":5}]",
                        "[]",
                        "null",
                        "[null]",
                        "[{\"y\":null}]",
                        "[null,{\"y\":6}]");
    }

    @Test
    void mapsWithKeysOfTextAreObjects() {
        assertThat(
                        rows(
                                "map<utf8,int32>",
                                list(),
                                null,
                                list(list(utf8("k"), null)),
                                list(list(utf8("k"), 1L)),
                                list(list(utf8("k"), 1L), list(utf8("\"é"), 2L))))
                .containsExactly(
                        "{}", "null", "{\"k\":null}", "{\"k\":1}", "{\"k\":1,\"\\\"é\":2}");
    }

    @Test
    void aStructThatIsNullIsNotOneOfNulls() {
        assertThat(rows("struct<y int32>", list(list(1L), null, list((Object) null)).toArray()))
                .containsExactly("{\"y\":1}", "null", "{\"y\":null}");
    }

    @Test
    void structsAlwaysHaveAllFieldsUnderTheirNames() {
        assertThat(
                        rows(
                                "struct<\"a\"\"b\" int32,A utf8,a utf8,e struct<>>",
                                list(1L, utf8("x\n"), null, list()),
                                list(null, null, utf8(""), null)))
                .containsExactly(
                        "{\"a\\\"b\":1,\"A\":\"x\\n\",\"a\":null,\"e\":{}}",
                        "{\"a\\\"b\":null,\"A\":null,\"a\":\"\",\"e\":null}");
    }

    @Test
    void mapsWithOtherKeysAreArraysOfAllTheirPairs() {
        assertThat(
                        rows(
                                "map<int64,utf8>",
                                list(list(1L, utf8("a")), list(1L, null), list(2L, utf8("b"))),
                                list(),
                                null))
                .containsExactly(
                        "[{\"key\":1,\"value\":\"a\"},{\"key\":1,\"value\":null},{\"key\":2,\"value\":\"b\"}]",
                        "[]",
                        "null");
    }

    @Test
    void theLastValueOfAKeyCounts() {
        List<@Nullable Object> many = new ArrayList<>();
        for (long i = 0; i < 3_000; i++) {
            many.add(list(utf8("key " + i % 1_000), i));
        }
        String expected =
                LongStream.range(2_000, 3_000)
                        .mapToObj(i -> "\"key %d\":%d".formatted(i % 1_000, i))
                        .collect(Collectors.joining(",", "{", "}"));
        assertThat(
                        rows(
                                "map<utf8,int64>",
                                list(
                                        list(utf8("a"), 1L),
                                        list(utf8("b"), 2L),
                                        list(utf8("a"), 3L),
                                        list(utf8(""), 4L),
                                        list(utf8("a"), null)),
                                many,
                                list(list(utf8("a"), 5L), list(utf8("ab"), 6L))))
                .containsExactly("{\"b\":2,\"\":4,\"a\":null}", expected, "{\"a\":5,\"ab\":6}");
    }

    @Test
    void settingsReachAllTheWayDown() {
        JsonFormat strings = new JsonFormat(JsonFormat.Layout.ARRAY_ELEMENTS, true, true, true);
        assertThat(
                        encoding.rows(
                                strings,
                                "struct<l list<int64>,m map<utf8,decimal(4,2)>,t list<utf8>>",
                                list(
                                        list(9007199254740993L, null),
                                        list(list(utf8("k"), new BigDecimal("1.50"))),
                                        list(new byte[] {'a', (byte) 0xff}, utf8("b")))))
                .isEqualTo(
                        ",[{\"l\":[\"9007199254740993\",null],\"m\":{\"k\":\"1.50\"},\"t\":[\"a�\",\"b\"]}]");
    }

    @Test
    void valuesWithoutTextNameColumnAndRow() {
        byte[] invalid = {'a', (byte) 0xff};
        failsInRow(
                2,
                ErrorCode.INVALID_TEXT,
                LINES,
                "list<utf8>",
                list(),
                null,
                list(utf8("a"), invalid));
        failsInRow(
                1,
                ErrorCode.INVALID_TEXT,
                LINES,
                "struct<a list<struct<b utf8>>>",
                list(list(list(utf8("x")))),
                list(list(list(utf8("y")), list(invalid))),
                null);
        failsInRow(
                1,
                ErrorCode.INVALID_TEXT,
                LINES,
                "map<utf8,int32>",
                list(),
                list(list(invalid, 1L)));
        failsInRow(0, ErrorCode.INVALID_CAST, LINES, "list<time(s)>", list(1L, 86_400L));
        JsonFormat replacing = new JsonFormat(JsonFormat.Layout.LINES, false, false, true);
        failsInRow(
                1,
                ErrorCode.INVALID_TEXT,
                replacing,
                "map<utf8,int32>",
                list(),
                list(list(invalid, 1L)));
        failsInRow(
                0,
                ErrorCode.INVALID_TEXT,
                LINES,
                "list<utf8>",
                list(utf8("a".repeat(100_000)), invalid));
    }

    private void failsInRow(
            int row, ErrorCode code, JsonFormat format, String type, @Nullable Object... values) {
        assertThatThrownBy(() -> encoding.rows(format, type, values))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(code);
                            assertThat(e.context())
                                    .containsEntry(SpillwayException.COLUMN, "v")
                                    .containsEntry(SpillwayException.ROW, row);
                        });
    }

    @Test
    void rowsOfAnySizeAreWritten() {
        List<@Nullable Object> numbers = new ArrayList<>();
        StringBuilder expected = new StringBuilder("[");
        for (long i = 0; i < 200_000; i++) {
            numbers.add(i % 7 == 0 ? null : i);
            expected.append(i == 0 ? "" : ",").append(i % 7 == 0 ? "null" : Long.toString(i));
        }
        assertThat(rows("list<int64>", list(1L), numbers, list(2L)))
                .containsExactly("[1]", expected.append("]").toString(), "[2]");

        String text = "é\"".repeat(50_000);
        String quoted = '"' + text.replace("\"", "\\\"") + '"';
        byte[] bytes = new byte[100_000];
        assertThat(
                        rows(
                                "struct<a list<utf8>,b binary>",
                                list(list(utf8("s"), utf8(text), null), bytes),
                                list(list(utf8(text)), null)))
                .containsExactly(
                        "{\"a\":[\"s\",%s,null],\"b\":\"%s\"}"
                                .formatted(quoted, Base64.getEncoder().encodeToString(bytes)),
                        "{\"a\":[%s],\"b\":null}".formatted(quoted));
    }

    @Test
    void chunksEndWithinTheirBytes() {
        RowSchema schema = new RowSchema(List.of(Encoding.column("v", "list<struct<a utf8>>")));
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            values.add(Collections.nCopies(i % 50, list(utf8("text " + i))));
        }
        try (RecordBatch batch =
                        Vectors.batch(
                                schema,
                                List.of(
                                        Vectors.plain(
                                                schema.column(0), values, encoding.allocator)));
                BatchEncoder encoder = BatchEncoders.of(schema, LINES)) {
            int chunks = 0;
            for (int row = 0; row < values.size(); chunks++) {
                try (EncodedChunk chunk =
                        encoder.encode(batch, 0, row, values.size(), encoding.allocator)) {
                    assertThat(chunk.length()).isBetween(1, BatchEncoders.CHUNK_BYTES);
                    row += (int) chunk.rows();
                }
            }
            assertThat(chunks).isBetween(5, 20);
        }
    }

    @Test
    void sixtyFourLevelsAreWritten() {
        Object list = list(1L);
        Object struct = list((Object) null);
        for (int i = 1; i < 64; i++) {
            list = list(list);
            struct = list(struct);
        }
        assertThat(rows("list<".repeat(64) + "int8" + ">".repeat(64), list, list()))
                .containsExactly("[".repeat(64) + "1" + "]".repeat(64), "[]");
        assertThat(rows("struct<x ".repeat(64) + "int8" + ">".repeat(64), struct))
                .containsExactly("{\"x\":".repeat(64) + "null" + "}".repeat(64));
    }

    @Test
    void structsOfThousandsOfFieldsAreWritten() {
        StringBuilder type = new StringBuilder("struct<");
        List<@Nullable Object> values = new ArrayList<>();
        StringBuilder expected = new StringBuilder("{");
        for (long i = 0; i < 2_000; i++) {
            type.append(i == 0 ? "" : ",").append("f").append(i).append(" int64");
            values.add(i);
            expected.append(i == 0 ? "" : ",").append("\"f%d\":%d".formatted(i, i));
        }
        assertThat(rows(type.append(">").toString(), values, null, values))
                .containsExactly(expected.append("}").toString(), "null", expected.toString());
    }
}
