package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of CSV, to the letter. */
class CsvEncoderTest {

    private static final CsvFormat FORMAT = new CsvFormat(false);

    private final Encoding encoding = new Encoding();

    @AfterEach
    void everythingIsFreed() {
        encoding.close();
    }

    @Test
    void aHeaderThenALineARow() {
        RowSchema schema = schema("n", "int64", "t", "utf8");
        try (RecordBatch batch =
                batch(schema, Arrays.asList(1L, null), List.of(utf8("a"), utf8("b")))) {
            assertThat(document(batch)).isEqualTo("n,t\r\n1,a\r\n,b\r\n");
        }
    }

    @Test
    void noRowsAreTheHeaderAlone() {
        assertThat(header("k", "v")).isEqualTo("k,v\r\n");
        assertThat(BatchEncoders.tail(FORMAT, 0)).isEmpty();
    }

    @Test
    void namesStandInQuotesWhereTheyMust() {
        assertThat(header("a,b", "say \"x\"", "", " c", "é", "1\n2", "plain name"))
                .isEqualTo("\"a,b\",\"say \"\"x\"\"\",\"\",\" c\",é,\"1\n2\",plain name\r\n");
    }

    @Test
    void textStandsInQuotesWhereItMust() {
        assertThat(
                        fields(
                                "utf8",
                                utf8("a"),
                                utf8(""),
                                null,
                                utf8("a,b"),
                                utf8("say \"hi\""),
                                utf8("a\r\nb"),
                                utf8("\t"),
                                utf8("a\u0000"),
                                utf8(" a"),
                                utf8("a "),
                                utf8("a b"),
                                utf8("NULL"),
                                utf8("äöü😀,"),
                                utf8("ä"),
                                utf8("\u2028")))
                .containsExactly(
                        "a",
                        "\"\"",
                        "",
                        "\"a,b\"",
                        "\"say \"\"hi\"\"\"",
                        "\"a\r\nb\"",
                        "\"\t\"",
                        "\"a\u0000\"",
                        "\" a\"",
                        "\"a \"",
                        "a b",
                        "NULL",
                        "\"äöü😀,\"",
                        "ä",
                        "\u2028");
    }

    @Test
    void numbersAreBareWithAllTheirDigits() {
        assertThat(fields("int64", 9007199254740993L, Long.MIN_VALUE, null))
                .containsExactly("9007199254740993", "-9223372036854775808", "");
        assertThat(fields("uint64", -1L)).containsExactly("18446744073709551615");
        assertThat(
                        fields(
                                "float64",
                                1.5,
                                Double.NaN,
                                Double.POSITIVE_INFINITY,
                                Double.NEGATIVE_INFINITY,
                                -0.0,
                                null))
                .containsExactly("1.5", "NaN", "Infinity", "-Infinity", "-0.0", "");
        assertThat(fields("float16", (short) 0x3e00, (short) 0x7e00, (short) 0x8000))
                .containsExactly("1.5", "NaN", "-0.0");
        assertThat(fields("bool", true, false, null)).containsExactly("true", "false", "");
    }

    @ParameterizedTest
    @CsvSource({
        "'decimal(38,18)', 0.000000000000000000",
        "'decimal(10,2)', 2500.00",
        "'decimal(10,2)', -0.01",
        "'decimal(9,9)', 0.000000001",
        "'decimal(38,0)', 99999999999999999999999999999999999999"
    })
    void decimalsHaveTheirFullScale(String type, BigDecimal value) {
        assertThat(fields(type, value)).containsExactly(value.toPlainString());
    }

    @Test
    void timesAreBareAndNeverShifted() {
        long gap = micros("2026-03-08T02:30:00Z");
        long noon = micros("2026-05-21T15:30:00Z");
        assertThat(fields("timestamp(us)", gap, noon, null))
                .containsExactly("2026-03-08T02:30:00.000000", "2026-05-21T15:30:00.000000", "");
        assertThat(fields("timestamp(us,UTC)", gap, noon))
                .containsExactly("2026-03-08T02:30:00.000000Z", "2026-05-21T15:30:00.000000Z");
        assertThat(fields("date", 0L, -719162L)).containsExactly("1970-01-01", "0001-01-01");
        assertThat(fields("time(ms)", 86_399_999L)).containsExactly("23:59:59.999");
    }

    @Test
    void binaryIsBareBase64() {
        assertThat(fields("binary", new byte[] {0, 1, -1, 7}, new byte[0], null))
                .containsExactly("AAH/Bw==", "\"\"", "");
        assertThat(fields("binary(3)", new byte[] {1, 2, 3}, null)).containsExactly("AQID", "");
    }

    @Test
    void nestedValuesAreJsonInQuotes() {
        assertThat(
                        fields(
                                "list<int64>",
                                List.of(9007199254740993L, 2L),
                                List.of(),
                                Collections.singletonList(null),
                                null))
                .containsExactly("\"[9007199254740993,2]\"", "\"[]\"", "\"[null]\"", "");
        assertThat(
                        fields(
                                "list<struct<y utf8>>",
                                List.of(List.of(utf8("a\"b"))),
                                Collections.singletonList(Collections.singletonList(null))))
                .containsExactly("\"[{\"\"y\"\":\"\"a\\\"\"b\"\"}]\"", "\"[{\"\"y\"\":null}]\"");
        assertThat(fields("list<float64>", List.of(Double.NaN, -0.0)))
                .containsExactly("\"[\"\"NaN\"\",-0.0]\"");
        assertThat(fields("map<utf8,int32>", List.of(), List.of(Arrays.asList(utf8("k"), null))))
                .containsExactly("\"{}\"", "\"{\"\"k\"\":null}\"");
    }

    /** A line that is empty would be skipped by most readers. */
    @Test
    void aSingleColumnNeverMakesAnEmptyLine() {
        assertThat(lines("int32", 1L, null)).isEqualTo("v\r\n1\r\n\"\"\r\n");
        assertThat(lines("list<int32>", List.of(), null)).isEqualTo("v\r\n\"[]\"\r\n\"\"\r\n");
        assertThat(lines("binary(2)", new byte[] {0, 0}, null)).isEqualTo("v\r\nAAA=\r\n\"\"\r\n");
        assertThat(lines("utf8", utf8("a"), null, utf8(""), utf8("NULL"), utf8("NULLS")))
                .isEqualTo("v\r\na\r\nNULL\r\n\"\"\r\n\"NULL\"\r\nNULLS\r\n");
        assertThat(lines("binary", new byte[0], null)).isEqualTo("v\r\n\"\"\r\nNULL\r\n");
    }

    @Test
    void rowsWithoutColumnsAreEmptyLines() {
        try (RecordBatch batch = new RecordBatch(new RowSchema(List.of()), List.of(), 2)) {
            assertThat(document(batch)).isEqualTo("\r\n\r\n\r\n");
        }
    }

    @Test
    void invalidTextIsAnErrorOrReplaced() {
        RowSchema schema = schema("n", "int64", "t", "utf8");
        byte[] invalid = {'a', (byte) 0xc3, 'b', (byte) 0xe2, (byte) 0x82};
        try (RecordBatch batch = batch(schema, List.of(1L, 2L), List.of(utf8("x"), invalid))) {
            assertThatThrownBy(() -> encoding.all(schema, FORMAT, batch))
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> {
                                assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT);
                                assertThat(e.context())
                                        .containsEntry(SpillwayException.COLUMN, "t")
                                        .containsEntry(SpillwayException.ROW, 1);
                            });
            assertThat(Encoding.text(encoding.all(schema, new CsvFormat(true), batch)))
                    .isEqualTo("1,x\r\n2,a\ufffdb\ufffd\r\n");
        }
    }

    /** Whatever the way a large value takes, the field is the same. */
    @Test
    void largeValuesStandInQuotesOnlyWhereTheyMust() {
        String plain = "0123456789".repeat(10_000);
        List<String> texts =
                List.of(
                        plain,
                        plain + ",",
                        plain + "é😀",
                        plain + "\"" + plain,
                        " " + plain,
                        plain + " ",
                        plain + "\n" + plain);
        List<String> fields =
                List.of(
                        plain,
                        '"' + plain + ",\"",
                        plain + "é😀",
                        '"' + plain + "\"\"" + plain + '"',
                        "\" " + plain + '"',
                        '"' + plain + " \"",
                        '"' + plain + "\n" + plain + '"');
        assertThat(fields("utf8", texts.stream().map(Encoding::utf8).toArray())).isEqualTo(fields);
        assertThat(fields("binary", new Object[] {new byte[90_000]}))
                .containsExactly("A".repeat(120_000));
        assertThat(fields("list<utf8>", List.of(utf8(plain))))
                .containsExactly("\"[\"\"" + plain + "\"\"]\"");
    }

    @Test
    void nullsBesideLargeValuesAreEmpty() {
        RowSchema schema = schema("a", "utf8", "b", "utf8", "c", "int32");
        byte[] large = new byte[100_000];
        Arrays.fill(large, (byte) 'x');
        for (boolean encoded : new boolean[] {false, true}) {
            List<ColumnVector> columns = new ArrayList<>();
            for (int i = 0; i < schema.size(); i++) {
                List<@Nullable Object> values = Collections.singletonList(i == 0 ? large : null);
                columns.add(
                        encoded
                                ? Vectors.encoded(schema.column(i), values, encoding.allocator)
                                : Vectors.plain(schema.column(i), values, encoding.allocator));
            }
            try (RecordBatch batch = Vectors.batch(schema, columns)) {
                assertThat(Encoding.text(encoding.all(schema, FORMAT, batch)))
                        .isEqualTo("x".repeat(large.length) + ",,\r\n");
            }
        }
    }

    private static long micros(String instant) {
        return Instant.parse(instant).toEpochMilli() * 1000;
    }

    private static byte[] utf8(String text) {
        return Encoding.utf8(text);
    }

    private static RowSchema schema(String... namesAndTypes) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            columns.add(Encoding.column(namesAndTypes[i], namesAndTypes[i + 1]));
        }
        return new RowSchema(columns);
    }

    private static String header(String... names) {
        RowSchema schema =
                new RowSchema(
                        Arrays.stream(names).map(name -> Encoding.column(name, "utf8")).toList());
        return Encoding.text(BatchEncoders.head(schema, FORMAT));
    }

    private RecordBatch batch(RowSchema schema, List<?>... columns) {
        List<ColumnVector> vectors = new ArrayList<>();
        for (int i = 0; i < columns.length; i++) {
            vectors.add(Vectors.plain(schema.column(i), columns[i], encoding.allocator));
        }
        return Vectors.batch(schema, vectors);
    }

    private String document(RecordBatch batch) {
        return Encoding.text(BatchEncoders.head(batch.schema(), FORMAT))
                + Encoding.text(encoding.all(batch.schema(), FORMAT, batch));
    }

    private String lines(String type, @Nullable Object... values) {
        try (RecordBatch batch = batch(schema("v", type), Arrays.asList(values))) {
            return document(batch);
        }
    }

    /** What the values become in a column that is followed by another. */
    private List<String> fields(String type, @Nullable Object... values) {
        RowSchema schema = schema("v", type, "end", "utf8");
        List<byte[]> ends = Collections.nCopies(values.length, utf8("|end|"));
        try (RecordBatch batch = batch(schema, Arrays.asList(values), ends)) {
            String text = Encoding.text(encoding.all(schema, FORMAT, batch));
            List<String> fields = Arrays.asList(text.split(",\\|end\\|\r\n", -1));
            assertThat(fields.getLast()).isEmpty();
            return fields.subList(0, values.length);
        }
    }
}
