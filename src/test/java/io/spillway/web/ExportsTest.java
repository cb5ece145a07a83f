package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Contract;
import io.spillway.testing.Exports;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rows of jobs, written as Parquet files. */
class ExportsTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Contract CONTRACT = new Contract();

    @TempDir static Path root;
    private static SpillwayServer server;
    private static Exports exports;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .root(root)
                        .root(Path.of("samples").toAbsolutePath())
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .set("spillway.exports.roots[0]", root.toString())
                        .start();
        exports = new Exports(server.http());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String flights(int rows) {
        return server.submit(
                """
                {"from": {"dataset": "flights"}, "steps": [{"op": "limit", "rows": %d}]}
                """
                        .formatted(rows));
    }

    private static String files(Path path) {
        return "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\"%s\"]}}}"
                .formatted(path);
    }

    private static String duckDb(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    @Test
    void oneFileHasTheRows() throws SQLException {
        Path file = root.resolve("one/flights.parquet");
        String job = flights(200_000);
        JsonNode document = exports.completed(job, file, Map.of());

        assertThat(Exports.tree(root.resolve("one"))).containsExactly("flights.parquet");
        JsonNode told = document.required("files").get(0);
        assertThat(told.required("uri").stringValue()).isEqualTo(file.toString());
        assertThat(told.required("rows").longValue()).isEqualTo(200_000);
        assertThat(told.required("bytes").longValue()).isEqualTo(file.toFile().length());
        assertThat(server.ndjson(files(file))).isEqualTo(server.lines(job, ""));
        assertThat(
                        duckDb(
                                "SELECT count(*) FROM (FROM '%s' EXCEPT ALL (FROM 'samples/flights-3m.parquet' LIMIT 200000))"
                                        .formatted(file)))
                .isEqualTo("0");
        assertThat(duckDb("SELECT created_by FROM parquet_file_metadata('" + file + "')"))
                .startsWith("Spillway version ");
    }

    @Test
    void aRepeatWithTheSameKeyFindsTheFirstOnesExport() {
        Path file = root.resolve("repeated.parquet");
        String body = "{\"job\": \"%s\", \"path\": \"%s\"}".formatted(flights(100), file);
        HttpAnswer first = keyed("key-1", body);
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        String id = MAPPER.readTree(first.text()).required("id").stringValue();
        assertThat(exports.ended(id).required("state").stringValue()).isEqualTo("COMPLETED");

        HttpAnswer again = keyed("key-1", body);
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        CONTRACT.check("POST", "/v1/exports", again);
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(MAPPER.readTree(again.text()).required("state").stringValue())
                .isEqualTo("COMPLETED");

        HttpAnswer other = keyed("key-1", body + " ");
        assertThat(other.status()).isEqualTo(422);
        CONTRACT.check("POST", "/v1/exports", other);
        assertThat(other.text()).contains("idempotency-conflict");
        assertThat(keyed("key-2", body).status()).as("the file is there").isEqualTo(409);
        assertThat(keyed("k".repeat(256), body).status()).isEqualTo(400);
    }

    private static HttpAnswer keyed(String key, String body) {
        return server.http()
                .call(
                        "POST",
                        "/v1/exports",
                        Map.of("Accept", JSON, "Content-Type", JSON, "Idempotency-Key", key),
                        body);
    }

    @Test
    void aFailureKeepsItsPlace() throws IOException {
        Path text = root.resolve("mistyped.csv");
        Files.writeString(text, "a,b\n1,2\n3,x\n");
        String job =
                server.submit(
                        """
                        {"from": {"files": {"format": "csv", "paths": ["%s"],
                                            "options": {"columns": {"b": "int32"}}}}}
                        """
                                .formatted(text));
        String id = exports.begin(job, root.resolve("mistyped.parquet"), Map.of());
        JsonNode failed = exports.ended(id);
        assertThat(failed.required("state").stringValue()).isEqualTo("FAILED");
        JsonNode failure = failed.required("failure");
        assertThat(failure.required("code").stringValue()).isEqualTo("invalid-cast");
        assertThat(failure.required("file").stringValue()).isEqualTo(text.toUri().toString());
        assertThat(failure.required("line").intValue()).isEqualTo(3);
        assertThat(failure.required("column").stringValue()).isEqualTo("b");
        CONTRACT.check("GET", "/v1/exports/{export}", server.http().get("/v1/exports/" + id, JSON));
    }

    @Test
    void aFolderHasFilesOfBoundedRows() {
        Path folder = root.resolve("parts");
        String job = flights(25_000);
        JsonNode document = exports.completed(job, folder, Map.of("maxFileRows", 10_000));

        assertThat(Exports.tree(folder))
                .containsExactly(
                        "_SUCCESS",
                        "part-00000.parquet",
                        "part-00001.parquet",
                        "part-00002.parquet");
        assertThat(document.required("files").valueStream().map(f -> f.required("rows").intValue()))
                .containsExactly(10_000, 10_000, 5_000);
        assertThat(server.ndjson(files(folder))).isEqualTo(server.lines(job, ""));
    }

    @Test
    void filesOfBoundedBytes() {
        Path folder = root.resolve("bytes");
        String job = flights(300_000);
        JsonNode document = exports.completed(job, folder, Map.of("maxFileBytes", "500KB"));

        assertThat(document.required("files").size()).isGreaterThan(2);
        document.required("files")
                .forEach(f -> assertThat(f.required("bytes").longValue()).isBetween(1L, 550_000L));
        assertThat(server.ndjson(files(folder))).isEqualTo(server.lines(job, ""));
    }

    @Test
    void noRowsAreAFileToo() {
        Path file = root.resolve("none.parquet");
        exports.completed(flights(0), file, Map.of());

        assertThat(server.ndjson(files(file))).isEmpty();
    }

    @Test
    void whatIsThereIsKeptUnlessTold() throws Exception {
        Path file = root.resolve("there.parquet");
        Files.writeString(file, "other");
        HttpAnswer answer = exports.ask(flights(1), file, Map.of());
        assertThat(answer.status()).isEqualTo(409);
        assertThat(MAPPER.readTree(answer.text()).required("code").stringValue())
                .isEqualTo("target-exists");
        assertThat(file).hasContent("other");

        exports.completed(flights(1), file, Map.of("overwrite", true));
        assertThat(server.ndjson(files(file))).hasSize(1);
    }

    @Test
    void otherPlacesAreRefused() throws Exception {
        Path link = root.resolve("link");
        Files.createSymbolicLink(link, root.getParent());
        String job = flights(1);
        for (String path :
                List.of(
                        "/tmp/elsewhere.parquet",
                        root + "/../up.parquet",
                        link + "/through.parquet",
                        root.toString(),
                        root + "/a*.parquet",
                        "relative.parquet",
                        "")) {
            HttpAnswer answer = exports.ask(job, path, Map.of());
            assertThat(answer.status()).as(path).isEqualTo(403);
            assertThat(MAPPER.readTree(answer.text()).required("pointer").stringValue())
                    .isEqualTo("/path");
        }
    }

    @Test
    void mistakesAreTold() {
        assertThat(exports.ask("nobody", root.resolve("x"), Map.of()).status()).isEqualTo(404);
        assertThat(
                        exports.ask(
                                        flights(1),
                                        root.resolve("x"),
                                        Map.of("overwrite", true, "maxFileRows", 1))
                                .status())
                .isEqualTo(400);
        assertThat(exports.ask(flights(1), root.resolve("x"), Map.of("what", 1)).status())
                .isEqualTo(400);
        assertThat(server.http().get("/v1/exports/none", JSON).status()).isEqualTo(404);
    }

    /** All that DuckDB and Parquet both have, nested and with nulls. */
    private static final String TYPES =
            """
            SELECT (i % 200 - 100)::TINYINT AS i8, (i * 7 % 30000)::SMALLINT AS i16, i::INTEGER * 100003 AS i32,
                   i::BIGINT * 1000000007 AS i64, (i % 256)::UTINYINT AS u8, (60000 + i % 5000)::USMALLINT AS u16,
                   (4294967295 - i)::UINTEGER AS u32, (18446744073709551615 - i)::UBIGINT AS u64,
                   CASE WHEN i % 5 = 0 THEN NULL ELSE i % 2 = 0 END AS flag,
                   (i / 3.0)::FLOAT AS f32, i / 7.0::DOUBLE AS f64, (i % 99)::DECIMAL(4,2) AS d4,
                   ((i - 50) * 123456789)::DECIMAL(18,4) AS d18,
                   ((i - 50) * 170141183460469231::HUGEINT)::DECIMAL(38,10) AS d38,
                   CASE WHEN i % 4 = 0 THEN NULL ELSE repeat('é', (i % 40)::INTEGER) END AS s, encode('b' || i) AS bin,
                   DATE '1969-12-01' + i::INTEGER AS day, TIME '00:00:00' + INTERVAL (i % 1000) MINUTE AS tm,
                   TIMESTAMP '2024-02-29 23:59:59.123456' + INTERVAL (i) HOUR AS ts,
                   (TIMESTAMP '1960-02-29 23:59:59.5' + INTERVAL (i) HOUR)::TIMESTAMP_MS AS ts_ms,
                   TIMESTAMPTZ '2024-02-29 23:59:59+00' + INTERVAL (i) HOUR AS ts_utc,
                   CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [i, NULL, i + 1] END AS list,
                   {'a': i, 'b': CASE WHEN i % 2 = 0 THEN NULL ELSE ['x' || i] END} AS struct,
                   MAP {'k' || i: i, 'l': NULL} AS map
            FROM range(5000) t(i)
            """;

    @Test
    void duckDbReadsItsOwnTypesBack() throws SQLException {
        Path source = root.resolve("types.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(TYPES, source));
        }
        Path copy = root.resolve("types-copy.parquet");
        exports.completed(server.submit(files(source)), copy, Map.of());
        for (List<Path> pair : List.of(List.of(source, copy), List.of(copy, source))) {
            assertThat(
                            duckDb(
                                    "SELECT count(*) FROM (FROM '%s' EXCEPT ALL FROM '%s')"
                                            .formatted(pair.get(0), pair.get(1))))
                    .isEqualTo("0");
        }
        String described =
                "SELECT string_agg(column_name || ' ' || column_type, ', ') FROM (DESCRIBE FROM"
                        + " '%s')";
        assertThat(duckDb(described.formatted(copy)))
                .isEqualTo(duckDb(described.formatted(source)));
    }
}
