package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RawCall;
import io.spillway.testing.SpillwayServer;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Inputs that are missing, broken, or change under a reader: a typed answer that names the file, or
 * a broken stream; never a part for the whole.
 */
class FailuresTest {

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    @TempDir static Path outside;

    private static SpillwayServer server;

    @BeforeAll
    static void start() {
        server = SpillwayServer.builder().root(folder).start();
    }

    @AfterAll
    static void stop() {
        assertThat(server.bean("jobManager", JobManager.class).readers()).isZero();
        assertThat(server.bean("memory", MemoryPool.class).held()).isZero();
        server.close();
    }

    private static String plan(Object... paths) {
        List<String> quoted = Arrays.stream(paths).map(p -> "\"" + p + "\"").toList();
        return "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": ["
                + String.join(",", quoted)
                + "]}}}";
    }

    private static HttpAnswer submit(Object... paths) {
        return server.http().post("/v1/jobs", JSON, "{\"plan\": " + plan(paths) + "}");
    }

    private static JsonNode problem(HttpAnswer answer, int status, String code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isEqualTo(code);
        return problem;
    }

    private static Path ids(Path file, int from, int to) {
        return ParquetFiles.write(file, "SELECT range AS id FROM range(" + from + ", " + to + ")");
    }

    /** A file whose later row groups are damaged in their pages, while its footer is good. */
    private static Path damaged() throws Exception {
        Path file =
                ParquetFiles.writeChecksummed(folder.resolve("damaged.parquet"), 100_000, 200_000);
        try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
            data.seek(data.length() * 9 / 10);
            data.write(new byte[64]);
        }
        return file;
    }

    @Test
    void aStreamThatFailsMidwayIsBrokenOffAndAPageIsAProblem() throws Exception {
        Path file = damaged();
        String job = server.submit(plan(file));
        assertThat(server.lines(job, "offset=10&limit=3000")).hasSize(3_000);

        try (RawCall call =
                new RawCall(server.port(), "/v1/jobs/" + job + "/rows", NDJSON, 1 << 16)) {
            String raw = call.readToEnd();
            assertThat(raw)
                    .startsWith("HTTP/1.1 200")
                    .doesNotContain("Spillway-Row-Count: ")
                    .doesNotEndWith("0\r\n\r\n");
        }
        JsonNode problem =
                problem(
                        server.http()
                                .get("/v1/jobs/" + job + "/rows?offset=95000&limit=5000", JSON),
                        422,
                        "file-corrupt");
        assertThat(problem.get("file").stringValue()).endsWith("/damaged.parquet");
        assertThat(problem.get("rowGroup").intValue()).isPositive();
        problem(
                server.http().get("/v1/jobs/" + job + "/rows?offset=90000", NDJSON),
                422,
                "file-corrupt");
    }

    @Test
    void aFileThatIsReplacedUnderACursorIsAConflictThatNamesIt() {
        Path a = ids(folder.resolve("a.parquet"), 1, 5);
        Path b = ids(folder.resolve("b.parquet"), 5, 9);
        String job = server.submit(plan(a, b));
        String first = server.page(job, "limit=3");
        String href = MAPPER.readTree(first).get("next").get("href").stringValue();

        ids(a, 2, 5);
        JsonNode problem = problem(server.http().get(href, JSON), 409, "source-changed");
        assertThat(problem.get("file").stringValue()).endsWith("/a.parquet");
    }

    @Test
    void aFileThatIsAddedIsNotSeenByAJobThatIsOlder() throws Exception {
        Path lake = Files.createDirectory(folder.resolve("added"));
        ids(lake.resolve("a.parquet"), 1, 5);
        ids(lake.resolve("b.parquet"), 5, 9);
        String job = server.submit(plan(lake + "/*.parquet"));
        String href =
                MAPPER.readTree(server.page(job, "limit=3")).get("next").get("href").stringValue();

        ids(lake.resolve("0.parquet"), 100, 103);
        assertThat(server.http().get(href, JSON).text())
                .contains("\"rows\":[{\"id\":4},{\"id\":5},{\"id\":6}]");
        assertThat(server.ndjson(plan(lake + "/*.parquet")))
                .hasSize(11)
                .first()
                .isEqualTo("{\"id\":100}");
    }

    @Test
    void aFileThatIsGoneIsAProblemThatNamesIt() throws Exception {
        Path a = ids(folder.resolve("stays.parquet"), 1, 5);
        Path b = ids(folder.resolve("goes.parquet"), 5, 9);
        String job = server.submit(plan(a, b));
        String href =
                MAPPER.readTree(server.page(job, "limit=3")).get("next").get("href").stringValue();

        Files.delete(b);
        JsonNode problem = problem(server.http().get(href, JSON), 409, "source-changed");
        assertThat(problem.get("file").stringValue()).endsWith("/goes.parquet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty.parquet", "text.parquet", "cut.parquet", "lying.parquet"})
    void aFileThatIsNoParquetIsRefusedAtSubmission(String name) throws Exception {
        Path good = ids(folder.resolve("good.parquet"), 0, 100);
        byte[] bytes = Files.readAllBytes(good);
        Files.write(
                folder.resolve(name),
                switch (name) {
                    case "empty.parquet" -> new byte[0];
                    case "text.parquet" -> "id,name\n1,a\n".getBytes(StandardCharsets.US_ASCII);
                    case "cut.parquet" -> Arrays.copyOf(bytes, bytes.length - 8);
                    default ->
                            new byte[] {'P', 'A', 'R', '1', -1, -1, -1, 0x7f, 'P', 'A', 'R', '1'};
                });
        JsonNode problem = problem(submit(good, folder.resolve(name)), 422, "file-corrupt");
        assertThat(problem.get("file").stringValue()).endsWith("/" + name);
    }

    @Test
    void nobodyReadsOrLearnsAnythingOutsideTheRoots() throws Exception {
        Path secret = ids(outside.resolve("secret.parquet"), 0, 3);
        Files.createSymbolicLink(folder.resolve("link.parquet"), secret);
        Files.createSymbolicLink(folder.resolve("linked"), outside);
        for (Object path :
                List.of(
                        secret,
                        outside.resolve("absent.parquet"),
                        folder.resolve("link.parquet"),
                        folder + "/linked/secret.parquet",
                        folder + "/../" + outside.getFileName() + "/secret.parquet",
                        "/etc/passwd",
                        "file:///etc/passwd",
                        "relative.parquet")) {
            HttpAnswer answer = submit(path);
            assertThat(answer.status()).as(path + ": " + answer.text()).isEqualTo(403);
            assertThat(answer.text()).contains("path-not-allowed");
        }
        for (String path : List.of("s3://bucket/a.parquet", "http://localhost/a.parquet")) {
            HttpAnswer answer = submit(path);
            assertThat(answer.status()).as(path + ": " + answer.text()).isIn(400, 403);
        }
        problem(submit(folder.resolve("absent.parquet")), 422, "file-not-found");
    }

    @Test
    void filesThatDifferInTheirColumnsAreRefused() {
        Path a = ids(folder.resolve("same.parquet"), 0, 3);
        Path b = ParquetFiles.write(folder.resolve("other.parquet"), "SELECT 'x' AS id");
        JsonNode problem = problem(submit(a, b), 422, "schema-mismatch");
        assertThat(problem.get("file").stringValue()).endsWith("/other.parquet");
        assertThat(problem.get("column").stringValue()).isEqualTo("id");
    }

    @Test
    void aFileWithoutRowsHasItsColumns() {
        Path empty =
                ParquetFiles.write(
                        folder.resolve("z.parquet"), "SELECT 1::BIGINT AS k, 'v' AS v WHERE false");
        Path two =
                ParquetFiles.write(
                        folder.resolve("two.parquet"), "SELECT range AS k, 'w' AS v FROM range(2)");
        assertThat(server.ndjson(plan(empty))).isEmpty();
        assertThat(server.page(server.submit(plan(empty)), "limit=3"))
                .contains("\"schema\":[{\"name\":\"k\",\"type\":\"int64\",")
                .contains("\"rows\":[],\"next\":null,\"rowCount\":0");
        assertThat(server.ndjson(plan(empty, two))).hasSize(2);
    }

    @Test
    void plansThatAreTooDeepOrTooLargeAreAnsweredAtOnce() {
        Path file = ids(folder.resolve("plain.parquet"), 0, 30);
        String deepJson = "[".repeat(50_000) + "]".repeat(50_000);
        String nots = "not(".repeat(100_000) + "id = 1" + ")".repeat(100_000);
        StringBuilder right = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            right.append("id = ").append(i).append(" OR (");
        }
        right.append("id = 1").append(")".repeat(20_000));
        for (String where : List.of(nots, right.toString())) {
            long start = System.nanoTime();
            HttpAnswer answer =
                    server.http().post("/v1/rows", JSON, "{\"plan\": " + filter(file, where) + "}");
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.text()).containsAnyOf("plan-too-deep", "plan-too-large");
            assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
        }
        HttpAnswer nested = server.http().post("/v1/rows", JSON, "{\"plan\": " + deepJson + "}");
        assertThat(nested.status()).isEqualTo(400);
        assertThat(nested.text()).contains("plan-too-deep");

        StringBuilder flat = new StringBuilder("id = 0");
        for (int i = 1; i < 20_000; i++) {
            flat.append(" OR id = ").append(i);
        }
        assertThat(server.ndjson(filter(file, flat.toString()))).hasSize(30);
        HttpAnswer exponent =
                server.http()
                        .post(
                                "/v1/rows",
                                JSON,
                                "{\"plan\": " + filter(file, "id < 1e1000000000") + "}");
        assertThat(exponent.status()).isEqualTo(400);
    }

    private static String filter(Path file, String where) {
        String from = plan(file);
        return from.substring(0, from.length() - 1)
                + ", \"steps\": [{\"op\": \"filter\", \"where\": \""
                + where
                + "\"}]}";
    }

    @Test
    void errorsOfValuesComeWithTheRowsThatHaveThemOnly() {
        Path file = ids(folder.resolve("numbers.parquet"), 0, 10);
        String plan = plan(file);
        String divided =
                plan.substring(0, plan.length() - 1)
                        + ", \"steps\": [{\"op\": \"select\", \"columns\": [\"100 / (id - 9) AS"
                        + " x\"]}, {\"op\": \"limit\", \"rows\": 10}]}";
        problem(
                server.http().post("/v1/rows", JSON, "{\"plan\": " + divided + "}"),
                422,
                "division-by-zero");
        String guarded =
                plan.substring(0, plan.length() - 1)
                        + ", \"steps\": [{\"op\": \"filter\", \"where\": \"id <> 9 AND 100 / (id -"
                        + " 9) < -20\"}]}";
        assertThat(server.ndjson(guarded))
                .containsExactly("{\"id\":5}", "{\"id\":6}", "{\"id\":7}", "{\"id\":8}");
    }
}
