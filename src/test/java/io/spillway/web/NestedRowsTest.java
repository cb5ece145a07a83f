package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Contract;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lists, structs and maps from Parquet files to rows of JSON. */
class NestedRowsTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Contract CONTRACT = new Contract();

    @TempDir static Path root;

    private static SpillwayServer server;

    @BeforeAll
    static void start() throws IOException {
        Files.createDirectories(root.resolve("shapes"));
        ParquetFiles.write(
                root.resolve("shapes/1.parquet"),
                """
                SELECT * FROM (VALUES
                  (1, [{'y': 5}], MAP {'k': 1}, {'y': 1}),
                  (2, [], MAP {'k': NULL}, NULL),
                  (3, NULL, MAP {}, {'y': NULL}),
                  (4, [NULL], NULL, {'y': 2}),
                  (5, [{'y': NULL}], MAP {'a': 1, 'b': 2}, NULL),
                  (6, [NULL, {'y': 6}], MAP {'k': 3}, {'y': NULL}))
                t(id, l, m, s)
                """);
        Files.createDirectories(root.resolve("grown"));
        ParquetFiles.write(
                root.resolve("grown/1.parquet"),
                """
                SELECT
                  [{'a': 1::INTEGER, 'b': [1::INTEGER]}, NULL] AS v,
                  MAP {1::INTEGER: 'x'} AS m
                """);
        ParquetFiles.write(
                root.resolve("grown/2.parquet"),
                """
                SELECT
                  [{'b': [9007199254740993::BIGINT, NULL], 'c': 'new', 'a': 2::INTEGER}] AS v,
                  MAP {5000000000::BIGINT: NULL::VARCHAR} AS m
                """);
        server =
                SpillwayServer.builder()
                        .root(root)
                        .dataset("shapes", root.resolve("shapes"))
                        .dataset("grown", root.resolve("grown"))
                        .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String plan(String dataset, String... steps) {
        return "{\"from\": {\"dataset\": \"%s\"}, \"steps\": [%s]}"
                .formatted(dataset, String.join(", ", steps).replace('`', '"'));
    }

    private static JsonNode checked(int status, String method, String target, String body) {
        HttpAnswer answer =
                method.equals("GET")
                        ? server.http().get(target, JSON)
                        : server.http().post(target, JSON, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        CONTRACT.check(method, target, answer);
        return MAPPER.readTree(answer.text());
    }

    private static JsonNode submitted(int status, String plan) {
        return checked(status, "POST", "/v1/jobs", "{\"plan\": " + plan + "}");
    }

    private static List<String> types(JsonNode document) {
        return document.required("schema")
                .valueStream()
                .map(c -> c.get("type").stringValue())
                .toList();
    }

    @Test
    void nullEmptyAndNullInsideStayApart() {
        assertThat(server.ndjson(plan("shapes")))
                .containsExactly(
                        "{\"id\":1,\"l\":[{\"y\":5}],\"m\":{\"k\":1},\"s\":{\"y\":1}}",
                        "{\"id\":2,\"l\":[],\"m\":{\"k\":null},\"s\":null}",
                        "{\"id\":3,\"l\":null,\"m\":{},\"s\":{\"y\":null}}",
                        "{\"id\":4,\"l\":[null],\"m\":null,\"s\":{\"y\":2}}",
                        "{\"id\":5,\"l\":[{\"y\":null}],\"m\":{\"a\":1,\"b\":2},\"s\":null}",
                        "{\"id\":6,\"l\":[null,{\"y\":6}],\"m\":{\"k\":3},\"s\":{\"y\":null}}");
    }

    @Test
    void pagesHaveTheirTypesAndValues() {
        JsonNode job = submitted(201, plan("shapes"));
        assertThat(types(job))
                .containsExactly(
                        "int32", "list<struct<y int32>>", "map<utf8,int32>", "struct<y int32>");
        JsonNode page =
                checked(
                        200,
                        "GET",
                        "/v1/jobs/" + job.get("id").stringValue() + "/rows?offset=4&rows=arrays",
                        "");
        assertThat(page.get("rows"))
                .hasToString(
                        "[[5,[{\"y\":null}],{\"a\":1,\"b\":2},null],[6,[null,{\"y\":6}],{\"k\":3},{\"y\":null}]]");
    }

    @Test
    void stepsHandThemOn() {
        assertThat(
                        server.ndjson(
                                plan(
                                        "shapes",
                                        "{`op`: `filter`, `where`: `l IS NOT NULL AND id <> 2`}",
                                        "{`op`: `rename`, `columns`: {`l`: `list`}}",
                                        "{`op`: `withColumns`, `columns`: {`x`: `CASE WHEN id < 5 THEN s END`, `none`: `m IS NULL`}}",
                                        "{`op`: `drop`, `columns`: [`s`, `m`]}",
                                        "{`op`: `offset`, `rows`: 1}")))
                .containsExactly(
                        "{\"id\":4,\"list\":[null],\"x\":{\"y\":2},\"none\":true}",
                        "{\"id\":5,\"list\":[{\"y\":null}],\"x\":null,\"none\":false}",
                        "{\"id\":6,\"list\":[null,{\"y\":6}],\"x\":null,\"none\":false}");
    }

    @Test
    void filesWhoseTypesHaveGrownAreOne() {
        JsonNode job = submitted(201, plan("grown"));
        assertThat(types(job))
                .containsExactly("list<struct<a int32,b list<int64>,c utf8>>", "map<int64,utf8>");
        String id = job.get("id").stringValue();
        assertThat(server.lines(id, "numbers=strings"))
                .containsExactly(
                        "{\"v\":[{\"a\":1,\"b\":[\"1\"],\"c\":null},null],\"m\":[{\"key\":\"1\",\"value\":\"x\"}]}",
                        "{\"v\":[{\"a\":2,\"b\":[\"9007199254740993\",null],\"c\":\"new\"}],\"m\":[{\"key\":\"5000000000\",\"value\":null}]}");
    }

    @Test
    void comparisonsAreRefusedWithTheirPlace() {
        JsonNode problem =
                submitted(400, plan("shapes", "{`op`: `filter`, `where`: `id = 1 AND l = l`}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("type-mismatch");
        assertThat(problem.get("pointer").stringValue()).isEqualTo("/plan/steps/0/where");
        assertThat(problem.get("position").intValue()).isEqualTo(11);
        assertThat(problem.get("detail").stringValue())
                .contains("not supported for list<struct<y int32>>");
    }
}
