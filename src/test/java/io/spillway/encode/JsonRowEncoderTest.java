package io.spillway.encode;

import static io.spillway.encode.Encoding.ELEMENTS;
import static io.spillway.encode.Encoding.LINES;
import static io.spillway.encode.Encoding.column;
import static io.spillway.encode.Encoding.text;
import static io.spillway.encode.Encoding.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JsonRowEncoderTest {

    private final Encoding encoding = new Encoding();

    @AfterEach
    void everythingIsFreed() {
        encoding.close();
    }

    @Test
    void linesEndWithALineFeedAndElementsBeginWithAComma() {
        assertThat(encoding.rows(LINES, "int32", 1L, null)).isEqualTo("{\"v\":1}\n{\"v\":null}\n");
        assertThat(encoding.rows(ELEMENTS, "int32", 1L, null)).isEqualTo(",{\"v\":1},{\"v\":null}");
    }

    @Test
    void rowsAsArrays() {
        JsonFormat lines = new JsonFormat(JsonFormat.Layout.LINES, true, false, false);
        JsonFormat elements = new JsonFormat(JsonFormat.Layout.ARRAY_ELEMENTS, true, false, false);
        assertThat(encoding.rows(lines, "bool", true, null, false))
                .isEqualTo("[true]\n[null]\n[false]\n");
        assertThat(encoding.rows(elements, "bool", true, null, false))
                .isEqualTo(",[true],[null],[false]");
    }

    @ParameterizedTest
    @EnumSource(JsonFormat.Layout.class)
    void aSchemaWithoutColumnsGivesEmptyRows(JsonFormat.Layout layout) {
        RowSchema schema = new RowSchema(List.of());
        try (RecordBatch batch = new RecordBatch(schema, List.of(), 300)) {
            String row =
                    switch (layout) {
                        case LINES -> "{}\n";
                        case ARRAY_ELEMENTS -> ",{}";
                    };
            JsonFormat format = new JsonFormat(layout, false, false, false);
            assertThat(text(encoding.all(schema, format, batch))).isEqualTo(row.repeat(300));
            JsonFormat arrays = new JsonFormat(layout, true, false, false);
            assertThat(text(encoding.all(schema, arrays, batch)))
                    .isEqualTo(row.replace("{}", "[]").repeat(300));
        }
    }

    @Test
    void namesAreEscaped() {
        List<String> names = List.of("", "a\"b", "\\", "\n\r\t\b\f\0\u001f", "é\u2028😀", "a", "A");
        List<ColumnSchema> columns = names.stream().map(n -> column(n, "int8")).toList();
        RowSchema schema = new RowSchema(columns);
        List<ColumnVector> vectors = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            vectors.add(Vectors.plain(columns.get(i), List.of((long) i), encoding.allocator));
        }
        try (RecordBatch batch = Vectors.batch(schema, vectors)) {
            var row = Encoding.parseLines(encoding.all(schema, LINES, batch)).get(0);
            assertThat(row.propertyNames()).containsExactlyElementsOf(names);
            for (int i = 0; i < names.size(); i++) {
                assertThat(row.get(names.get(i)).intValue()).isEqualTo(i);
            }
        }
    }

    @Test
    void noRowsGiveAnEmptyChunk() {
        RowSchema schema = new RowSchema(List.of(column("v", "int32")));
        try (RecordBatch batch = batch(schema, List.of(1L, 2L));
                BatchEncoder encoder = BatchEncoders.of(schema, LINES);
                EncodedChunk chunk = encoder.encode(batch, 0, 1, 1, encoding.allocator)) {
            assertThat(chunk.rows()).isZero();
            assertThat(chunk.length()).isZero();
        }
    }

    @Test
    void rowsOutsideTheBatchAreRefused() {
        RowSchema schema = new RowSchema(List.of(column("v", "int32")));
        try (RecordBatch batch = batch(schema, List.of(1L, 2L));
                BatchEncoder encoder = BatchEncoders.of(schema, LINES)) {
            assertThatThrownBy(() -> encoder.encode(batch, 0, 0, 3, encoding.allocator))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void chunksEndNearTheirTargetAndTakeOnePowerOfTwo() {
        RowSchema schema = TripsData.SCHEMA;
        try (RecordBatch batch = TripsData.batch(10_000, true, encoding.allocator);
                BatchEncoder encoder = BatchEncoders.of(schema, LINES)) {
            int chunks = 0;
            for (int row = 0; row < batch.rowCount(); chunks++) {
                try (EncodedChunk chunk =
                        encoder.encode(batch, 0, row, batch.rowCount(), encoding.allocator)) {
                    row += (int) chunk.rows();
                    if (row < batch.rowCount()) {
                        assertThat(chunk.length())
                                .isBetween(
                                        BatchEncoders.CHUNK_BYTES * 9 / 10,
                                        BatchEncoders.CHUNK_BYTES);
                        assertThat(chunk.bytes().capacity()).isEqualTo(BatchEncoders.CHUNK_BYTES);
                    }
                }
            }
            assertThat(chunks).isGreaterThan(10);
        }
    }

    @Test
    void rowsLongerThanAChunkGoAlone() {
        String tail = "\"\n€";
        List<byte[]> texts =
                List.of(
                        utf8("short"),
                        utf8("x".repeat(5 << 20) + tail),
                        utf8("é€😀".repeat(40_000)),
                        utf8("y".repeat(300_000)),
                        utf8(""));
        RowSchema schema = new RowSchema(List.of(column("a", "utf8"), column("b", "binary")));
        for (boolean dictionary : new boolean[] {false, true}) {
            List<ColumnVector> vectors =
                    schema.columns().stream()
                            .map(
                                    c ->
                                            dictionary
                                                    ? Vectors.encoded(c, texts, encoding.allocator)
                                                    : Vectors.plain(c, texts, encoding.allocator))
                            .toList();
            try (RecordBatch batch = Vectors.batch(schema, vectors)) {
                var rows = Encoding.parseLines(encoding.all(schema, LINES, batch));
                assertThat(rows).hasSameSizeAs(texts);
                for (int i = 0; i < texts.size(); i++) {
                    assertThat(rows.get(i).get("a").stringValue()).isEqualTo(text(texts.get(i)));
                    assertThat(rows.get(i).get("b").binaryValue()).isEqualTo(texts.get(i));
                }
            }
        }
    }

    @Test
    void oneTextManyTimesByADictionary() {
        byte[] text = utf8("Z".repeat(1 << 20));
        ColumnSchema column = column("v", "utf8");
        RowSchema schema = new RowSchema(List.of(column));
        try (RecordBatch batch =
                        Vectors.batch(
                                schema,
                                List.of(
                                        Vectors.encoded(
                                                column,
                                                Collections.nCopies(40, text),
                                                encoding.allocator)));
                BatchEncoder encoder = BatchEncoders.of(schema, LINES)) {
            long bytes = 0;
            for (int row = 0; row < batch.rowCount(); ) {
                try (EncodedChunk chunk =
                        encoder.encode(batch, 0, row, batch.rowCount(), encoding.allocator)) {
                    bytes += chunk.length();
                    row += (int) chunk.rows();
                }
            }
            assertThat(bytes).isEqualTo(40L * ((1 << 20) + "{\"v\":\"\"}\n".length()));
        }
    }

    @Test
    void dictionariesThatAreTooLargeToKeepGiveTheSameText() {
        Random random = new Random(7);
        List<byte[]> texts = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            texts.add(utf8("value \"" + i + "\" " + "~".repeat(random.nextInt(100))));
        }
        Collections.shuffle(texts, random);
        sameEitherWay(column("v", "utf8"), texts);
        List<byte[]> mixed = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            mixed.add(utf8("m".repeat(i % 100 == 99 ? 20_000 : i % 50)));
        }
        sameEitherWay(column("v", "utf8"), mixed);
    }

    /** Entries too long to keep, few rows that have one: they are loaded without the gaps. */
    @Test
    void longBinaryEntriesAmongManyNulls() {
        List<byte @Nullable []> values = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            values.add(i % 50 == 0 ? new byte[5_000] : null);
        }
        sameEitherWay(column("v", "binary(5000)"), values);
    }

    @Test
    void manyColumnsOfDictionariesShareOneBudget() {
        List<ColumnSchema> columns = new ArrayList<>();
        List<ColumnVector> plain = new ArrayList<>();
        List<ColumnVector> encoded = new ArrayList<>();
        for (int c = 0; c < 12; c++) {
            ColumnSchema column = column("column " + c, "int64");
            List<Long> values = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                values.add(i * 1_000_003L + c);
            }
            columns.add(column);
            plain.add(Vectors.plain(column, values, encoding.allocator));
            encoded.add(Vectors.encoded(column, values, encoding.allocator));
        }
        RowSchema schema = new RowSchema(columns);
        try (RecordBatch a = Vectors.batch(schema, plain);
                RecordBatch b = Vectors.batch(schema, encoded)) {
            assertThat(encoding.all(schema, LINES, b)).isEqualTo(encoding.all(schema, LINES, a));
        }
    }

    @Test
    void moreColumnsThanABlockHasRoomFor() {
        List<ColumnSchema> columns = new ArrayList<>();
        List<ColumnVector> vectors = new ArrayList<>();
        for (int c = 0; c < 9_000; c++) {
            ColumnSchema column = column("c" + c, "int32");
            columns.add(column);
            vectors.add(Vectors.plain(column, List.of((long) c, -1L), encoding.allocator));
        }
        RowSchema schema = new RowSchema(columns);
        try (RecordBatch batch = Vectors.batch(schema, vectors)) {
            var rows = Encoding.parseLines(encoding.all(schema, LINES, batch));
            assertThat(rows.get(0).get("c8999").intValue()).isEqualTo(8999);
            assertThat(rows.get(1).get("c17").intValue()).isEqualTo(-1);
        }
    }

    @Test
    void anEncoderMeetsOneDictionaryAfterTheOther() {
        ColumnSchema column = column("v", "utf8");
        RowSchema schema = new RowSchema(List.of(column));
        try (BatchEncoder encoder = BatchEncoders.of(schema, LINES)) {
            StringBuilder all = new StringBuilder();
            for (List<@Nullable String> part :
                    List.<List<@Nullable String>>of(
                            List.of("north"),
                            List.of("south", "east"),
                            java.util.Arrays.asList("west", null))) {
                List<byte @Nullable []> values = new ArrayList<>();
                for (String s : part) {
                    values.add(s == null ? null : utf8(s));
                }
                try (RecordBatch batch =
                        Vectors.batch(
                                schema,
                                List.of(Vectors.encoded(column, values, encoding.allocator)))) {
                    all.append(text(encoding.range(encoder, batch, 0, part.size())));
                }
            }
            assertThat(all.toString().replaceAll("\\{\"v\":|\\}", ""))
                    .isEqualTo("\"north\"\n\"south\"\n\"east\"\n\"west\"\nnull\n");
        }
    }

    @Test
    void textThatIsNotUtf8NamesColumnAndRow() {
        ColumnSchema column = column("note", "utf8");
        RowSchema schema = new RowSchema(List.of(column("id", "int32"), column));
        List<byte @Nullable []> values = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            values.add(i == 700 ? new byte[] {'a', (byte) 0xff} : i % 3 == 0 ? null : utf8("ok"));
            ids.add((long) i);
        }
        for (boolean dictionary : new boolean[] {false, true}) {
            List<ColumnVector> vectors =
                    List.of(
                            Vectors.plain(schema.column(0), ids, encoding.allocator),
                            dictionary
                                    ? Vectors.encoded(column, values, encoding.allocator)
                                    : Vectors.plain(column, values, encoding.allocator));
            try (RecordBatch batch = Vectors.batch(schema, vectors);
                    BatchEncoder encoder = BatchEncoders.of(schema, LINES)) {
                for (int attempt = 0; attempt < 2; attempt++) {
                    assertThatThrownBy(() -> encoder.encode(batch, 0, 10, 1000, encoding.allocator))
                            .isInstanceOfSatisfying(
                                    SpillwayException.class,
                                    e -> {
                                        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT);
                                        assertThat(e.context())
                                                .containsEntry("column", "note")
                                                .containsEntry("row", 700);
                                    });
                }
                // The rows around it are still fine.
                assertThat(encoding.range(encoder, batch, 0, 700)).isNotEmpty();
                assertThat(encoding.range(encoder, batch, 701, 1000)).isNotEmpty();
            }
        }
    }

    @Test
    void largeTextThatIsNotUtf8NamesColumnAndRow() {
        byte[] text = utf8("é".repeat(100_000));
        text[150_001] = 'x';
        RowSchema schema = new RowSchema(List.of(column("note", "utf8")));
        try (RecordBatch batch =
                        Vectors.batch(
                                schema,
                                List.of(
                                        Vectors.plain(
                                                schema.column(0),
                                                List.of(utf8("fine"), text),
                                                encoding.allocator)));
                BatchEncoder encoder = BatchEncoders.of(schema, LINES)) {
            assertThatThrownBy(() -> encoding.range(encoder, batch, 0, 2))
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.context()).containsEntry("row", 1));
            JsonFormat replacing = new JsonFormat(JsonFormat.Layout.LINES, false, false, true);
            var rows = Encoding.parseLines(encoding.all(schema, replacing, batch));
            assertThat(rows.get(1).get("note").stringValue()).isEqualTo(text(text));
        }
    }

    @Test
    void aBudgetThatIsTooSmallIsATypedError() {
        RowSchema schema = new RowSchema(List.of(column("v", "int64")));
        try (RecordBatch batch = batch(schema, Collections.nCopies(5_000, 1L << 60));
                BufferAllocator small = encoding.allocator.newChildAllocator("small", 0, 1 << 12);
                BatchEncoder encoder = BatchEncoders.of(schema, LINES)) {
            assertThatThrownBy(() -> encoder.encode(batch, 0, 0, 5_000, small))
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
        }
    }

    private RecordBatch batch(RowSchema schema, List<? extends @Nullable Object> values) {
        return Vectors.batch(
                schema, List.of(Vectors.plain(schema.column(0), values, encoding.allocator)));
    }

    private void sameEitherWay(ColumnSchema column, List<? extends @Nullable Object> values) {
        RowSchema schema = new RowSchema(List.of(column));
        try (RecordBatch plain = batch(schema, values);
                RecordBatch encoded =
                        Vectors.batch(
                                schema,
                                List.of(Vectors.encoded(column, values, encoding.allocator)))) {
            assertThat(encoding.all(schema, LINES, encoded))
                    .isEqualTo(encoding.all(schema, LINES, plain));
        }
    }
}
