package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ArrowRows;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.CsvRows;
import io.spillway.testing.EventStream;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.JsonTexts;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are easily spoilt, in every form: large integers, NaN, decimals, times, nothing. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class ValueCasesTest {

    private static final Path SUITE =
            Path.of("src/test/resources/parquet-testing/data").toAbsolutePath();
    private static final TimeZone ZONE = TimeZone.getDefault();

    @TempDir static Path folder;

    private static SpillwayServer server;

    @BeforeAll
    static void start() {
        server = SpillwayServer.builder().root(folder).root(SUITE).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A job over what DuckDB writes for a query. */
    private static String job(String name, String query) {
        return jobOver(ParquetFiles.write(folder.resolve(name + ".parquet"), query));
    }

    private static String jobOver(Path... files) {
        String paths =
                Arrays.stream(files).map(f -> "\"" + f + "\"").collect(Collectors.joining(", "));
        return server.submit(
                "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [" + paths + "]}}}");
    }

    private static List<String> rows(RowForm form, String job, String query) {
        return form.rows(server.port(), job, query);
    }

    private static String csv(String job) {
        return server.http().get("/v1/jobs/" + job + "/rows", "text/csv").text();
    }

    private static ArrowRows arrow(String job) throws IOException {
        try (ChunkedResponse answer = RowForm.ARROW.ask(server.port(), job, "")) {
            assertThat(answer.status()).isEqualTo(200);
            return ArrowRows.parse(answer.readAll());
        }
    }

    /** Asserts that the three forms of JSON have these rows, each an array of its values. */
    private static void assertJson(String job, String query, String... rows) {
        String arrays = "rows=arrays" + (query.isEmpty() ? "" : "&" + query);
        for (RowForm form : List.of(RowForm.JSON, RowForm.NDJSON, RowForm.EVENTS)) {
            assertThat(rows(form, job, arrays)).as("%s", form).containsExactly(rows);
        }
    }

    @Test
    void noRowsKeepTheirColumns() throws IOException {
        Path empty =
                ParquetFiles.write(
                        folder.resolve("z.parquet"), "SELECT 1::BIGINT AS k, 'x' AS v WHERE false");
        Path two =
                ParquetFiles.write(
                        folder.resolve("two.parquet"), "SELECT range AS k, 'w' AS v FROM range(2)");
        String job = jobOver(empty);
        assertThat(server.page(job, ""))
                .contains("\"rows\":[],\"next\":null,\"rowCount\":0")
                .contains("\"name\":\"k\",\"type\":\"int64\"");
        assertThat(server.http().get("/v1/jobs/" + job + "/rows", "application/x-ndjson").text())
                .isEmpty();
        assertThat(csv(job)).isEqualTo("k,v\r\n");
        ArrowRows arrow = arrow(job);
        assertThat(arrow.schema().getFields()).extracting("name").containsExactly("k", "v");
        assertThat(arrow.batches()).isEmpty();
        try (EventStream events =
                EventStream.open(server.port(), "/v1/jobs/" + job + "/rows", null)) {
            assertThat(events.next("schema").data()).contains("int64");
            assertThat(events.rest()).extracting("type").containsExactly("end");
        }
        for (RowForm form : RowForm.values()) {
            assertThat(rows(form, jobOver(empty, two), "")).hasSize(2);
        }
    }

    @Test
    void largeIntegersKeepTheirDigits() throws IOException {
        String job =
                job(
                        "large",
                        """
                        SELECT v, u, [v, NULL] AS l, {'v': u} AS s FROM (VALUES
                            (9007199254740991, 9007199254740993::UBIGINT),
                            (9007199254740992, 18446744073709551615::UBIGINT),
                            (9007199254740993, 0::UBIGINT),
                            (-9223372036854775808, NULL),
                            (9223372036854775807, NULL),
                            (NULL, NULL)) t(v, u)
                        """);
        assertJson(
                job,
                "",
                "[9007199254740991,9007199254740993,[9007199254740991,null],{\"v\":9007199254740993}]",
                "[9007199254740992,18446744073709551615,[9007199254740992,null],{\"v\":18446744073709551615}]",
                "[9007199254740993,0,[9007199254740993,null],{\"v\":0}]",
                "[-9223372036854775808,null,[-9223372036854775808,null],{\"v\":null}]",
                "[9223372036854775807,null,[9223372036854775807,null],{\"v\":null}]",
                "[null,null,[null,null],{\"v\":null}]");
        assertJson(
                job,
                "numbers=strings&offset=2&limit=4",
                "[\"9007199254740993\",\"0\",[\"9007199254740993\",null],{\"v\":\"0\"}]",
                "[\"-9223372036854775808\",null,[\"-9223372036854775808\",null],{\"v\":null}]",
                "[\"9223372036854775807\",null,[\"9223372036854775807\",null],{\"v\":null}]",
                "[null,null,[null,null],{\"v\":null}]");
        List<List<@Nullable String>> csv = CsvRows.parse(csv(job)).rows();
        assertThat(csv.get(1).subList(0, 2))
                .containsExactly("9007199254740992", "18446744073709551615");
        assertThat(csv.get(5).subList(0, 2)).containsExactly(null, null);
        assertThat(csv.get(2).get(2)).isEqualTo("[9007199254740993,null]");
        assertThat(arrow(job).rows().get(2).subList(0, 2)).containsExactly("9007199254740993", "0");
    }

    @Test
    void numbersThatAreNoneStayApart() throws IOException {
        String job =
                job(
                        "nan",
                        """
                        SELECT x, x::FLOAT AS f, [x] AS l FROM (VALUES
                            (1.5::DOUBLE), ('NaN'::DOUBLE), ('Infinity'::DOUBLE), ('-Infinity'::DOUBLE), (-0.0::DOUBLE), (NULL)) t(x)
                        """);
        assertJson(
                job,
                "",
                "[1.5,1.5,[1.5]]",
                "[\"NaN\",\"NaN\",[\"NaN\"]]",
                "[\"Infinity\",\"Infinity\",[\"Infinity\"]]",
                "[\"-Infinity\",\"-Infinity\",[\"-Infinity\"]]",
                "[-0.0,-0.0,[-0.0]]",
                "[null,null,[null]]");
        assertThat(CsvRows.parse(csv(job)).rows().stream().map(List::getFirst))
                .containsExactly("1.5", "NaN", "Infinity", "-Infinity", "-0.0", null);
        assertThat(arrow(job).rows().stream().map(r -> r.subList(0, 2).toString()))
                .containsExactly(
                        "[1.5, 1.5]",
                        "[NaN, NaN]",
                        "[Infinity, Infinity]",
                        "[-Infinity, -Infinity]",
                        "[-0.0, -0.0]",
                        "[null, null]");
    }

    @Test
    void halvesAreNumbersLikeOthers() throws IOException {
        String job = jobOver(SUITE.resolve("float16_nonzeros_and_nans.parquet"));
        List<String> json = rows(RowForm.NDJSON, job, "rows=arrays");
        assertThat(json).hasSize(8).contains("[\"NaN\"]", "[null]", "[1.0]", "[-2.0]");
        List<String> plain =
                json.stream().map(r -> r.substring(1, r.length() - 1).replace("\"", "")).toList();
        // Where a row is one field, a number that is null is an empty text rather than no line.
        assertThat(CsvRows.parse(csv(job)).rows().stream().map(List::getFirst))
                .containsExactlyElementsOf(
                        plain.stream().map(v -> v.equals("null") ? "" : v).toList());
        assertThat(arrow(job).rows()).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Asia/Seoul", "America/New_York"})
    void timesKnowNoZoneButTheirOwn(String zone) throws IOException {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            String job =
                    job(
                            "times",
                            """
                            SELECT make_timestamp(us) AS ts_local, make_timestamptz(us) AS ts_utc
                            FROM (VALUES (1772937000000000), (1779377400000000)) t(us)
                            """);
            String first = "2026-03-08T02:30:00.000000";
            String second = "2026-05-21T15:30:00.000000";
            assertJson(
                    job,
                    "",
                    "[\"" + first + "\",\"" + first + "Z\"]",
                    "[\"" + second + "\",\"" + second + "Z\"]");
            assertThat(CsvRows.parse(csv(job)).rows())
                    .containsExactly(List.of(first, first + "Z"), List.of(second, second + "Z"));
            ArrowRows arrow = arrow(job);
            assertThat(arrow.rows().getFirst().getFirst()).hasToString("2026-03-08T02:30");
            assertThat(arrow.rows().getFirst().get(1)).hasToString("1772937000000000");
            assertThat(arrow.schema().getFields())
                    .extracting(f -> ((ArrowType.Timestamp) f.getType()).getTimezone())
                    .containsExactly(null, "UTC");
        } finally {
            TimeZone.setDefault(ZONE);
        }
    }

    @Test
    void decimalsHaveTheirScaleAndNoExponent() throws IOException {
        String job =
                job(
                        "decimals",
                        """
                        SELECT 0::DECIMAL(38,18) AS zero, 2500::DECIMAL(10,2) AS round, -0.01::DECIMAL(10,2) AS cent,
                            0.000000001::DECIMAL(9,9) AS tiny, 99999999999999999999999999999999999999::DECIMAL(38,0) AS nines
                        """);
        List<String> texts =
                List.of(
                        "0.000000000000000000",
                        "2500.00",
                        "-0.01",
                        "0.000000001",
                        "99999999999999999999999999999999999999");
        assertJson(job, "", "[" + String.join(",", texts) + "]");
        assertJson(job, "numbers=strings", "[\"" + String.join("\",\"", texts) + "\"]");
        assertThat(CsvRows.parse(csv(job)).rows()).containsExactly(List.copyOf(texts));
        assertThat(
                        arrow(job).rows().getFirst().stream()
                                .map(
                                        v ->
                                                new java.math.BigDecimal(String.valueOf(v))
                                                        .toPlainString()))
                .containsExactlyElementsOf(texts);
    }

    @Test
    void nothingEmptyAndNullInsideStayApart() throws IOException {
        String job =
                job(
                        "nested",
                        """
                        SELECT * FROM (VALUES
                            ([{'y': 5}], MAP {'k': 1}, {'y': 1}, 'a'), ([], MAP {'k': NULL}, NULL, ''),
                            (NULL, MAP {}, {'y': NULL}, NULL), ([NULL], NULL, {'y': 2}, '""'),
                            ([{'y': NULL}], MAP {'a': 1, 'b': 2}, NULL, 'null'), ([NULL, {'y': 6}], MAP {'k': 3}, {'y': NULL}, ','))
                        t(l, m, s, t)
                        """);
        assertJson(
                job,
                "",
                "[[{\"y\":5}],{\"k\":1},{\"y\":1},\"a\"]",
                "[[],{\"k\":null},null,\"\"]",
                "[null,{},{\"y\":null},null]",
                "[[null],null,{\"y\":2},\"\\\"\\\"\"]",
                "[[{\"y\":null}],{\"a\":1,\"b\":2},null,\"null\"]",
                "[[null,{\"y\":6}],{\"k\":3},{\"y\":null},\",\"]");
        assertThat(CsvRows.parse(csv(job)).rows())
                .containsExactly(
                        List.of("[{\"y\":5}]", "{\"k\":1}", "{\"y\":1}", "a"),
                        Arrays.asList("[]", "{\"k\":null}", null, ""),
                        Arrays.asList(null, "{}", "{\"y\":null}", null),
                        Arrays.asList("[null]", null, "{\"y\":2}", "\"\""),
                        Arrays.asList("[{\"y\":null}]", "{\"a\":1,\"b\":2}", null, "null"),
                        Arrays.asList("[null,{\"y\":6}]", "{\"k\":3}", "{\"y\":null}", ","));
        assertThat(arrow(job).rows().stream().map(r -> r.get(0) + " " + r.get(2) + " " + r.get(3)))
                .containsExactly(
                        "[{\"y\":5}] {\"y\":1} a",
                        "[] null ",
                        "null {\"y\":null} null",
                        "[null] {\"y\":2} \"\"",
                        "[{\"y\":null}] null null",
                        "[null,{\"y\":6}] {\"y\":null} ,");
    }

    @ParameterizedTest
    @EnumSource
    void namesThatDifferInCaseAreTwoColumns(RowForm form) throws IOException {
        Path file =
                ParquetFiles.write(folder.resolve("names.parquet"), "SELECT 7 AS id, 'p' AS tag");
        String job =
                server.submit(
                        """
                        {"from": {"files": {"format": "parquet", "paths": ["%s"]}}, "steps": [
                            {"op": "select", "columns": ["id AS \\"A\\"", "tag AS \\"a\\""]}]}
                        """
                                .formatted(file));
        String expected =
                form == RowForm.CSV || form == RowForm.ARROW ? "[7, p]" : "{\"A\":7,\"a\":\"p\"}";
        assertThat(rows(form, job, "")).containsExactly(expected);
        HttpAnswer twice =
                server.http()
                        .post(
                                "/v1/rows?format=" + form.word(),
                                form.mediaType(),
                                "{\"plan\": {\"from\": {\"files\": {\"format\": \"parquet\","
                                        + " \"paths\": [\""
                                        + file
                                        + "\"]}}, \"steps\": [{\"op\": \"select\", \"columns\":"
                                        + " [\"id AS tag\", \"tag\"]}]}}");
        assertThat(twice.status()).as(twice.text()).isEqualTo(400);
        assertThat(twice.text()).contains("duplicate-column").contains("tag");
    }

    /** No form can keep both apart, so the file is refused where it is asked for. */
    @Test
    void aFileOfTwoColumnsOfOneNameIsRefusedByName() throws IOException {
        Path file =
                ParquetFiles.write(
                        folder.resolve("twice.parquet"),
                        "SELECT * FROM (VALUES (7, 'p', 'q'), (8, 'r', 's')) t(id, tag, tah)");
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(file, bytes.replace("tah", "tag"), StandardCharsets.ISO_8859_1);
        HttpAnswer refused =
                server.http()
                        .post(
                                "/v1/jobs",
                                "application/json",
                                "{\"plan\": {\"from\": {\"files\": {\"format\": \"parquet\","
                                        + " \"paths\": [\""
                                        + file
                                        + "\"]}}}}");
        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(refused.text()).contains("tag", "twice.parquet");
    }

    /** Whatever stands between the rows is as exact as they are. */
    @Test
    void rowNumbersKeepTheirDigitsToo() throws IOException {
        String job = job("few", "SELECT range AS id FROM range(3)");
        for (String offset : List.of("9007199254740993", "9223372036854775807")) {
            assertThat(server.page(job, "offset=" + offset)).contains("\"offset\":" + offset + ",");
            try (EventStream events =
                    EventStream.open(
                            server.port(),
                            "/v1/jobs/" + job + "/rows?limit=0&offset=" + offset,
                            null)) {
                assertThat(events.next("end").data()).contains("\"offset\":" + offset);
            }
        }
    }

    /** INT96 reaches far beyond what 64-bit nanoseconds hold. */
    @Test
    void sparksTimesComeWholeInEveryForm() throws IOException {
        String job = jobOver(SUITE.resolve("int96_from_spark.parquet"));
        String[] times = {
            "2024-01-01T20:34:56.123456",
            "2024-01-01T01:00:00.000000",
            "9999-12-31T03:00:00.000000",
            "2024-12-30T23:00:00.000000",
            null,
            "+290000-12-30T23:00:00.000000"
        };
        assertJson(
                job,
                "",
                Arrays.stream(times)
                        .map(t -> t == null ? "[null]" : "[\"" + t + "\"]")
                        .toArray(String[]::new));
        assertThat(CsvRows.parse(csv(job)).rows().stream().map(List::getFirst))
                .containsExactly(
                        Arrays.stream(times).map(t -> t == null ? "" : t).toArray(String[]::new));
    }

    /** Each row group has a dictionary of its own, and codes that mean something else. */
    @Test
    void dictionariesThatChangeChangeNoValues() throws IOException {
        Path file =
                ParquetFiles.write(
                        folder.resolve("dictionaries.parquet"),
                        """
                        SELECT CASE WHEN i < 2048 THEN 'north' WHEN i % 2048 = 2047 THEN NULL
                            ELSE ['south', 'east', 'west'][1 + ((i // 2048 + i) % 3)::INTEGER] END AS d
                        FROM range(8000) AS t(i)
                        """,
                        "ROW_GROUP_SIZE 2048");
        String job = jobOver(file);
        List<String> all =
                rows(RowForm.NDJSON, job, "rows=arrays").stream()
                        .map(r -> r.substring(1, r.length() - 1).replace("\"", ""))
                        .toList();
        assertThat(all).hasSize(8_000).contains("north", "south", "east", "west", "null");
        assertThat(arrow(job).rows().stream().map(r -> String.valueOf(r.getFirst())))
                .containsExactlyElementsOf(all);
        assertThat(CsvRows.parse(csv(job)).rows().stream().map(List::getFirst))
                .containsExactlyElementsOf(
                        all.stream().map(d -> d.equals("null") ? "NULL" : d).toList());
        for (int offset : List.of(0, 2_046, 2_047, 4_095, 6_143, 7_998)) {
            List<String> two = all.subList(offset, offset + 2);
            String query = "limit=2&offset=" + offset;
            assertThat(rows(RowForm.ARROW, job, query))
                    .hasToString(two.stream().map(d -> "[" + d + "]").toList().toString());
            assertThat(JsonTexts.elements(server.page(job, query + "&rows=arrays"), "rows"))
                    .hasToString(
                            two.stream()
                                    .map(d -> d.equals("null") ? "[null]" : "[\"" + d + "\"]")
                                    .toList()
                                    .toString());
        }
    }
}
