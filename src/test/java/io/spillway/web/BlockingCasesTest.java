package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.MemoryPool;
import io.spillway.spill.SpillManager;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sorts, joins and groups that do not fit in their memory: what a client gets is what it gets where
 * they do, and nothing is left behind.
 */
@SuppressWarnings("NullAway.Init") // the servers are there before all tests
class BlockingCasesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir static Path folder;

    private static SpillwayServer plenty;
    private static SpillwayServer little;
    private static SpillwayServer manyThreads;

    @BeforeAll
    static void start() {
        plenty = server("1GB", "1GB", 2);
        little = server("64MB", "4MB", 1);
        manyThreads = server("64MB", "16MB", 8);
    }

    private static SpillwayServer server(String budget, String perJob, int threads) {
        return SpillwayServer.builder()
                .root(folder)
                .set("spillway.memory.budget", budget)
                .set("spillway.memory.per-job", perJob)
                .set("spillway.scheduler.threads", Integer.toString(threads))
                .set("spillway.jobs.batch-rows", "1024")
                .start();
    }

    @AfterAll
    static void stop() {
        List.of(plenty, little, manyThreads).forEach(SpillwayServer::close);
    }

    @AfterEach
    void nothingIsLeft() {
        for (SpillwayServer server : List.of(plenty, little, manyThreads)) {
            SpillManager spill = server.bean("spillManager", SpillManager.class);
            MemoryPool memory = server.bean("memory", MemoryPool.class);
            await().atMost(SOON).until(() -> spill.files() == 0 && spill.held() == 0);
            await().atMost(SOON).until(() -> memory.held() == 0 && memory.admitted() == 0);
        }
    }

    private static String from(Path... files) {
        List<String> paths =
                java.util.Arrays.stream(files).map(file -> "\"" + file + "\"").toList();
        return "{\"files\": {\"format\": \"parquet\", \"paths\": ["
                + String.join(", ", paths)
                + "]}}";
    }

    private static long written(SpillwayServer server) {
        return server.bean("spillManager", SpillManager.class).written();
    }

    /** What a job answers once it is computed. */
    private static HttpAnswer rows(SpillwayServer server, String plan) {
        String job = server.submit(plan);
        HttpAnswer counted;
        do {
            counted = server.http().post("/v1/jobs/" + job + ":count?wait=60s", JSON, "");
        } while (counted.status() == 202);
        return counted.status() == 200
                ? server.http().get("/v1/jobs/" + job + "/rows", "application/x-ndjson")
                : counted;
    }

    /** All rows, as they are sent. */
    private static String text(SpillwayServer server, String plan) {
        HttpAnswer answer = rows(server, plan);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.trailer("Spillway-Row-Count")).isPresent();
        return answer.text();
    }

    private static JsonNode row(SpillwayServer server, String plan) {
        String text = text(server, plan);
        assertThat(text.lines()).hasSize(1);
        return MAPPER.readTree(text);
    }

    // ---- sorts

    private static Path sorted() {
        return ParquetFiles.write(
                folder.resolve("sorted.parquet"),
                """
                SELECT id, k, CASE WHEN id % 11 = 0 THEN NULL ELSE 'text ' || id % 97 END AS s,
                       CASE id % 3 WHEN 0 THEN [NULL] WHEN 1 THEN [k] ELSE [NULL, k] END AS l
                FROM (SELECT range AS id,
                             CASE WHEN range % 10 < 3 THEN NULL ELSE range * 7919 % 1000 END AS k
                      FROM range(200000))
                """,
                "ROW_GROUP_SIZE 20000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"k ASC NULLS FIRST\", \"s DESC NULLS LAST\", \"id\"]",
                "[\"l DESC\", \"id\"]"
            })
    void aSortIsTheSameInAnyMemoryAndALimitIsItsBeginning(String by) {
        String sort =
                "{\"from\": "
                        + from(sorted())
                        + ", \"steps\": [{\"op\": \"sort\", \"by\": "
                        + by
                        + "}";
        String whole = text(plenty, sort + "]}");
        List<String> lines = whole.lines().toList();
        assertThat(lines).hasSize(200_000);
        if (by.contains("FIRST")) {
            assertThat(lines.subList(0, 60_000)).allMatch(line -> line.contains("\"k\":null"));
            assertThat(lines.subList(60_000, 200_000)).noneMatch(l -> l.contains("\"k\":null"));
        }
        for (SpillwayServer server : List.of(little, manyThreads)) {
            long before = written(server);
            assertThat(text(server, sort + "]}").equals(whole)).as("the same bytes").isTrue();
            assertThat(written(server)).as("it had to spill").isGreaterThan(before);
            assertThat(text(server, sort + ", {\"op\": \"limit\", \"rows\": 540}]}").lines())
                    .containsExactlyElementsOf(lines.subList(0, 540));
        }
        assertThat(text(plenty, sort + ", {\"op\": \"limit\", \"rows\": 540}]}").lines())
                .containsExactlyElementsOf(lines.subList(0, 540));
    }

    // ---- joins of a hot key

    @ParameterizedTest
    @CsvSource({
        "inner, 600001",
        "left, 601010",
        "right, 601001",
        "full, 602010",
        "semi, 200001",
        "anti, 1009"
    })
    void aHotKeyIsJoinedInLittleMemory(String type, long rows) {
        Path left =
                ParquetFiles.write(
                        folder.resolve("hot-left.parquet"),
                        "SELECT CASE WHEN range < 200000 THEN 1 WHEN range < 200010 THEN range -"
                                + " 199998 END AS k, range AS id FROM range(201010)");
        Path right =
                ParquetFiles.write(
                        folder.resolve("hot-right.parquet"),
                        "SELECT CASE WHEN range < 3 THEN 1 WHEN range = 3 THEN 2 END AS rk, range"
                                + " AS rid FROM range(1004)");
        String join =
                """
                {"from": %s, "steps": [
                  {"op": "join", "with": {"from": %s}, "on": "k = rk", "type": "%s"},
                  {"op": "aggregate", "by": [], "measures": {"n": "COUNT(*)"}}]}
                """
                        .formatted(from(left), from(right), type);
        assertThat(row(little, join).get("n").longValue()).isEqualTo(rows);
        assertThat(row(plenty, join).get("n").longValue()).isEqualTo(rows);
    }

    @Test
    void allPairsOfAKeyAreCounted() {
        Path one =
                ParquetFiles.write(
                        folder.resolve("pairs.parquet"), "SELECT 1 AS k FROM range(3000)");
        Path two =
                ParquetFiles.write(
                        folder.resolve("pairs-right.parquet"), "SELECT 1 AS rk FROM range(3000)");
        String join =
                """
                {"from": %s, "steps": [
                  {"op": "join", "with": {"from": %s}, "on": "k = rk", "type": "inner"},
                  {"op": "aggregate", "by": [], "measures": {"n": "COUNT(*)"}}]}
                """
                        .formatted(from(one), from(two));
        assertThat(row(little, join).get("n").longValue()).isEqualTo(9_000_000);
    }

    // ---- keys that are computed

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inner | {'id':1,'b':2}",
                "left | {'id':1,'b':2} {'id':9223372036854775807,'b':null} {'id':null,'b':null}",
                "full | {'id':1,'b':2} {'id':9223372036854775807,'b':null} {'id':null,'b':null}"
                        + " {'id':null,'b':-9223372036854775808} {'id':null,'b':null}",
                "semi | {'id':1}",
                "anti | {'id':9223372036854775807} {'id':null}"
            })
    void aKeyThatDoesNotFitItsTypeEqualsNothing(String type, String rows) {
        String plan =
                """
                {"from": {"values": {"columns": ["id"], "rows":
                    [[1], [9223372036854775807], [null]]}},
                 "steps": [
                  {"op": "join", "on": "id + 1 = b", "type": "%s", "with":
                    {"from": {"values": {"columns": ["b"], "rows":
                        [[2], [-9223372036854775808], [null]]}}}}]}
                """
                        .formatted(type);
        String expected = rows.replace(' ', '\n').replace('\'', '"') + "\n";
        assertThat(text(plenty, plan)).isEqualTo(expected);
        assertThat(text(manyThreads, plan)).isEqualTo(expected);
    }

    // ---- very many groups

    @ParameterizedTest
    @ValueSource(strings = {"id", "text"})
    void manyGroupsInLittleMemory(String key) {
        groups(key, 300_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "text"})
    @Tag("long")
    void millionsOfGroupsInLittleMemory(String key) {
        groups(key, 1_500_000);
    }

    private static void groups(String key, long groups) {
        Path file =
                ParquetFiles.write(
                        folder.resolve("groups-" + groups + ".parquet"),
                        """
                        SELECT range %% %d AS id, range AS n,
                               'a' || repeat('x', 92) || printf('%%07d', range %% %d) AS text
                        FROM range(%d)
                        """
                                .formatted(groups, groups, 2 * groups),
                        "ROW_GROUP_SIZE 2048");
        String grouped =
                """
                {"from": %s, "steps": [
                  {"op": "aggregate", "by": ["%s AS g"], "measures": {"c": "COUNT(*)",
                   "d": "COUNT(DISTINCT MOD(id, 5))", "m": "MAX(text)", "earliest": "MIN(n)"}}\
                """
                        .formatted(from(file), key);
        String all =
                grouped
                        + """
                        , {"op": "aggregate", "by": [], "measures": {"groups": "COUNT(*)",
                          "rows": "SUM(c)", "least": "MIN(c)", "most": "MAX(c)",
                          "distinct": "SUM(d)", "firsts": "SUM(earliest)", "text": "MAX(m)"}}]}
                        """;
        long before = written(manyThreads);
        JsonNode sums = row(manyThreads, all);
        assertThat(written(manyThreads)).as("it had to spill").isGreaterThan(before);
        assertThat(sums.get("groups").longValue()).isEqualTo(groups);
        assertThat(sums.get("rows").longValue()).isEqualTo(2 * groups);
        assertThat(sums.get("least").longValue()).isEqualTo(2);
        assertThat(sums.get("most").longValue()).isEqualTo(2);
        assertThat(sums.get("distinct").longValue()).isEqualTo(groups);
        assertThat(sums.get("firsts").longValue()).isEqualTo(groups * (groups - 1) / 2);
        assertThat(row(plenty, all)).isEqualTo(sums);
        String end = ", {\"op\": \"offset\", \"rows\": " + (groups - 3) + "}]}";
        assertThat(text(manyThreads, grouped + end))
                .isEqualTo(text(plenty, grouped + end))
                .contains("\"c\":2,\"d\":1,")
                .contains("\"earliest\":" + (groups - 1));
    }

    // ---- sums at their borders

    private static Path values(String name, String type, String... values) {
        String rows = "(" + String.join("), (", values) + ")";
        return ParquetFiles.write(
                folder.resolve(name + ".parquet"),
                "SELECT x::" + type + " AS x FROM (VALUES " + rows + ") AS t(x)");
    }

    private static String aggregate(String function, Path... files) {
        return """
        {"from": %s, "steps": [
          {"op": "aggregate", "by": [], "measures": {"r": "%s(x)"}}]}
        """
                .formatted(from(files), function);
    }

    private static void isOverflow(String plan) {
        for (SpillwayServer server : List.of(plenty, little, manyThreads)) {
            HttpAnswer answer = rows(server, plan);
            assertThat(answer.status()).as(answer.text()).isEqualTo(422);
            JsonNode problem = MAPPER.readTree(answer.text());
            assertThat(problem.get("code").stringValue()).isEqualTo("arithmetic-overflow");
            assertThat(problem.get("detail").stringValue()).contains("SUM");
        }
    }

    private static void is(String expected, String plan) {
        for (SpillwayServer server : List.of(plenty, little, manyThreads)) {
            assertThat(text(server, plan)).isEqualTo("{\"r\":" + expected + "}\n");
        }
    }

    @Test
    void sumsAreExactOrAnErrorWhateverThePartitions() {
        isOverflow(aggregate("SUM", values("large", "BIGINT", "9223372036854775800", "100")));
        isOverflow(
                aggregate(
                        "SUM",
                        values("large-a", "BIGINT", "9223372036854775800"),
                        values("large-b", "BIGINT", "100")));
        is("2147483660", aggregate("SUM", values("ints", "INTEGER", "2147483640", "20")));
        String half = "5" + "0".repeat(37);
        isOverflow(aggregate("SUM", values("decimals", "DECIMAL(38, 0)", half, half, half)));
        Path over = values("over", "BIGINT", "9223372036854775807", "1");
        Path back = values("back", "BIGINT", "-1");
        is("9223372036854775807", aggregate("SUM", over, back));
        is("9223372036854775807", aggregate("SUM", back, over));
    }

    @Test
    void meansAreThoseOfExactSums() {
        String large = "9223372036854775806";
        is(
                "9.223372036854776E18",
                aggregate("AVG", values("means", "BIGINT", large, large, large)));
    }

    @Test
    void aJobThatOverflowsLeavesTheNextOneAlone() {
        String plan = aggregate("SUM", values("last", "BIGINT", "9223372036854775800", "100"));
        String job = little.submit(plan);
        HttpAnswer failed = little.http().get("/v1/jobs/" + job + "/rows?wait=30s", JSON);
        assertThat(failed.status()).isEqualTo(422);
        assertThat(little.http().get("/v1/jobs/" + job + "/rows?wait=30s", JSON).text())
                .isEqualTo(failed.text());
        little.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
        is("3", aggregate("SUM", values("next", "BIGINT", "1", "2")));
    }
}
