package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Contract;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Folders as they are in real lakes: files that differ, key=value folders, corrupt files. */
class FoldersTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Contract CONTRACT = new Contract();

    @TempDir static Path root;

    private static SpillwayServer server;

    @BeforeAll
    static void start() throws IOException {
        write("evolved/f1.parquet", "SELECT 1::INTEGER AS id, 'a' AS name");
        write("evolved/f2.parquet", "SELECT 'b' AS name, 5000000000::BIGINT AS id");
        write("evolved/f3.parquet", "SELECT 3::INTEGER AS id, 1.5::DOUBLE AS extra");
        write("nested/1.parquet", "SELECT [1::INTEGER, NULL] AS l, {'x': 1::TINYINT} AS s");
        write(
                "nested/2.parquet",
                "SELECT MAP {'k': 1} AS m, {'y': 'b', 'x': NULL::INTEGER} AS s, [5000000000] AS l");
        write("twice/1.parquet", "SELECT 7 AS id, 'p' AS tag, 'q' AS taq");
        rename(root.resolve("twice/1.parquet"), "taq", "tag");
        write("odd/f1.parquet", "SELECT 1::INTEGER AS id");
        write("odd/f4.parquet", "SELECT 'x' AS id");
        write("cases/1.parquet", "SELECT 1 AS a");
        write("cases/2.parquet", "SELECT 2 AS \"A\"");
        write("overflow/1.parquet", "SELECT TIMESTAMP_NS '2024-01-01 00:00:00.000000001' AS t");
        write("overflow/2.parquet", "SELECT TIMESTAMP '9999-01-01 00:00:00' AS t");
        writePartitions();
        writeCorrupt();
        server =
                SpillwayServer.builder()
                        .root(root)
                        .dataset("corrupt", root.resolve("corrupt"))
                        .set("spillway.datasets.corrupt.options.onCorruptFile", "skip")
                        .dataset("years", root.resolve("years"))
                        .set("spillway.datasets.years.options.partitionTypes.year", "int16")
                        .start();
    }

    /** Puts another text of the same length in a file, wherever the first one stands. */
    private static void rename(Path file, String from, String to) throws IOException {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(file, bytes.replace(from, to), StandardCharsets.ISO_8859_1);
    }

    private static void writePartitions() {
        List<String> tags =
                List.of(
                        "a+b",
                        "a%2Fb",
                        "100%25",
                        "__HIVE_DEFAULT_PARTITION__",
                        "007",
                        "%ZZ",
                        "S\u00e3o");
        for (int i = 0; i < tags.size(); i++) {
            write("tags/tag=" + tags.get(i) + "/" + i + ".parquet", "SELECT " + i + " AS id");
        }
        write("years/year=2024/month=01/a.parquet", "SELECT 1 AS id, 'file' AS month");
        write("years/year=2024/month=02/a.parquet", "SELECT 2 AS id, 'file' AS month");
        write("years/year=2025/month=01/a.parquet", "SELECT 3 AS id, 'file' AS month");
        write("mixed/year=2024/a.parquet", "SELECT 1 AS id");
        write("mixed/b.parquet", "SELECT 2 AS id");
        write("untyped/day=2024-01-01/a.parquet", "SELECT 1 AS id");
        write("untyped/day=tomorrow/a.parquet", "SELECT 2 AS id");
    }

    private static void writeCorrupt() throws IOException {
        Path good = write("corrupt/good.parquet", "SELECT 1 AS id UNION ALL SELECT 2");
        byte[] bytes = Files.readAllBytes(good);
        Path folder = good.resolveSibling("zero.parquet");
        Files.write(folder, new byte[0]);
        Files.write(good.resolveSibling("cut.parquet"), Arrays.copyOf(bytes, bytes.length - 8));
        Files.writeString(good.resolveSibling("_SUCCESS"), "");
        Files.writeString(good.resolveSibling(".good.parquet.crc"), "x");
        Files.write(good.resolveSibling(".hidden.parquet"), new byte[0]);
        Files.writeString(good.resolveSibling("notes.txt"), "to be read by people");
        Files.createDirectories(good.resolveSibling("_temporary/0"));
        Files.write(good.resolveSibling("_temporary/0/part.parquet"), new byte[0]);
        Files.createDirectories(root.resolve("bad"));
        Files.write(root.resolve("bad/zero.parquet"), new byte[0]);
        Files.writeString(root.resolve("bad/notes.txt"), "to be read by people");
    }

    private static Path write(String name, String query) {
        Path file = root.resolve(name);
        try {
            Files.createDirectories(file.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ParquetFiles.write(file, query);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String plan(String path, String options, String... filter) {
        String steps =
                filter.length == 0
                        ? ""
                        : ", \"steps\": [{\"op\": \"filter\", \"where\": "
                                + MAPPER.writeValueAsString(filter[0])
                                + "}]";
        return "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": ["
                + MAPPER.writeValueAsString(root + "/" + path)
                + "], \"options\": "
                + options
                + "}}"
                + steps
                + "}";
    }

    private static List<String> rows(String path, String options, String... filter) {
        return server.ndjson(plan(path, options, filter));
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

    private static JsonNode refused(int status, String plan) {
        return checked(status, "POST", "/v1/jobs", "{\"plan\": " + plan + "}");
    }

    private static List<String> schema(JsonNode document) {
        List<String> columns = new ArrayList<>();
        document.required("schema")
                .forEach(
                        c ->
                                columns.add(
                                        c.get("name").stringValue()
                                                + " "
                                                + c.get("type").stringValue()
                                                + (c.get("nullable").booleanValue() ? "?" : "")));
        return columns;
    }

    // ---- files that differ

    @Test
    void columnsAreMatchedByNameWidenedAndFilledWithNulls() {
        JsonNode job = refused(201, plan("evolved", "{}"));
        assertThat(schema(job)).containsExactly("id int64", "name utf8?", "extra float64?");
        String id = job.get("id").stringValue();
        assertThat(server.lines(id, "offset=0"))
                .containsExactly(
                        "{\"id\":1,\"name\":\"a\",\"extra\":null}",
                        "{\"id\":5000000000,\"name\":\"b\",\"extra\":null}",
                        "{\"id\":3,\"name\":null,\"extra\":1.5}");
        assertThat(server.lines(id, "offset=2")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    id = 5000000000      | 1
                    id < 5000000000      | 2
                    extra IS NULL        | 2
                    extra > 1            | 1
                    name IS NULL         | 1
                    name = 'a' OR id = 3 | 2
                    extra IS NULL AND id = 1 | 1
                    COALESCE(extra, 0) = 0   | 2
                    """)
    void filtersSeeTheCommonColumns(String filter, int rows) {
        assertThat(rows("evolved", "{}", filter)).hasSize(rows);
    }

    @Test
    void typesThatNoTypeHoldsAreRefusedBeforeAnyRow() {
        JsonNode problem = refused(422, plan("odd", "{}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("schema-mismatch");
        assertThat(problem.get("file").stringValue()).endsWith("/odd/f4.parquet");
        assertThat(problem.get("column").stringValue()).isEqualTo("id");
        assertThat(problem.get("expected").stringValue()).isEqualTo("int32");
        assertThat(problem.get("found").stringValue()).isEqualTo("utf8");
    }

    @Test
    void strictRefusesAnyDifference() {
        JsonNode problem = refused(422, plan("evolved", "{\"schema\": \"strict\"}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("schema-mismatch");
        assertThat(problem.get("file").stringValue()).endsWith("/evolved/f2.parquet");
        assertThat(problem.get("column").stringValue()).isEqualTo("id");
    }

    @Test
    void namesThatDifferInCaseAreDifferentColumns() {
        assertThat(rows("cases", "{}"))
                .containsExactly("{\"a\":1,\"A\":null}", "{\"a\":null,\"A\":2}");
    }

    @Test
    void nestedColumnsAreWidenedByFieldToo() {
        JsonNode job = refused(201, plan("nested", "{}"));
        String id = job.get("id").stringValue();
        assertThat(server.lines(id, "offset=0"))
                .containsExactly(
                        "{\"l\":[1,null],\"s\":{\"x\":1,\"y\":null},\"m\":null}",
                        "{\"l\":[5000000000],\"s\":{\"x\":null,\"y\":\"b\"},\"m\":{\"k\":1}}");
    }

    @Test
    void twoColumnsOfOneNameInAFileAreRefused() {
        JsonNode problem = refused(422, plan("twice", "{}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("schema-mismatch");
        assertThat(problem.get("file").stringValue()).endsWith("/twice/1.parquet");
        assertThat(problem.get("column").stringValue()).isEqualTo("tag");
    }

    @Test
    void aValueThatTheWiderTypeDoesNotHaveIsAnErrorThatNamesTheFile() {
        JsonNode job = refused(201, plan("overflow", "{}"));
        assertThat(schema(job)).containsExactly("t timestamp(ns)");
        HttpAnswer answer =
                server.http()
                        .get("/v1/jobs/" + job.get("id").stringValue() + "/rows?offset=1", JSON);
        assertThat(answer.status()).isEqualTo(422);
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isEqualTo("invalid-cast");
        assertThat(problem.get("file").stringValue()).endsWith("/overflow/2.parquet");
    }

    // ---- key=value folders

    @Test
    void folderNamesAreDecodedOnceAndNotAsForms() {
        assertThat(rows("tags", "{}"))
                .containsExactlyInAnyOrder(
                        "{\"id\":0,\"tag\":\"a+b\"}",
                        "{\"id\":1,\"tag\":\"a/b\"}",
                        "{\"id\":2,\"tag\":\"100%\"}",
                        "{\"id\":3,\"tag\":null}",
                        "{\"id\":4,\"tag\":\"007\"}",
                        "{\"id\":5,\"tag\":\"%ZZ\"}",
                        "{\"id\":6,\"tag\":\"S\u00e3o\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tag = 'a+b'   | 0
                    tag = 'a/b'   | 1
                    tag = '100%'  | 2
                    tag IS NULL   | 3
                    tag = '007'   | 4
                    tag = '%ZZ'   | 5
                    tag = 'S\u00e3o' | 6
                    tag IN ('x', '007') AND id > 1 | 4
                    """)
    void eachFolderIsFoundByItsValue(String filter, int id) {
        List<String> found = rows("tags", "{\"hivePartitioning\": true}", filter);
        assertThat(found).hasSize(1);
        assertThat(MAPPER.readTree(found.getFirst()).get("id").intValue()).isEqualTo(id);
    }

    @Test
    void foldersMayBeLeftAlone() {
        assertThat(rows("tags", "{\"hivePartitioning\": false}")).contains("{\"id\":0}").hasSize(7);
        assertThat(rows("mixed", "{}"))
                .as("not all files have the key")
                .containsExactly("{\"id\":2}", "{\"id\":1}");
        assertThat(rows("tags/tag=007", "{}")).containsExactly("{\"id\":4}");
        assertThat(rows("tags/*/4.parquet", "{}")).containsExactly("{\"id\":4,\"tag\":\"007\"}");
    }

    @Test
    void foldersThatMustBePartitionsAreCheckedByFile() {
        JsonNode problem = refused(422, plan("mixed", "{\"hivePartitioning\": true}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("schema-mismatch");
        assertThat(problem.get("file").stringValue()).contains("/mixed/");
    }

    @Test
    void partitionColumnsMayHaveTypesAndTakeThePlaceOfTheFilesColumns() {
        String typed = "{\"partitionTypes\": {\"year\": \"int32\", \"month\": \"utf8\"}}";
        JsonNode job = refused(201, plan("years", typed));
        assertThat(schema(job)).containsExactly("id int32", "year int32", "month utf8");
        assertThat(server.lines(job.get("id").stringValue(), "offset=1"))
                .containsExactly(
                        "{\"id\":2,\"year\":2024,\"month\":\"02\"}",
                        "{\"id\":3,\"year\":2025,\"month\":\"01\"}");
        assertThat(rows("years", typed, "\"year\" + 1 = 2026 AND \"month\" = '01'"))
                .containsExactly("{\"id\":3,\"year\":2025,\"month\":\"01\"}");
        assertThat(
                        server.ndjson(
                                "{\"from\": {\"dataset\": \"years\"}, \"steps\": [{\"op\":"
                                        + " \"select\", \"columns\": [\"year\"]}]}"))
                .containsExactly("{\"year\":2024}", "{\"year\":2024}", "{\"year\":2025}");
    }

    @Test
    void aFolderWhoseNameIsNotOfItsTypeIsRefused() {
        JsonNode problem =
                refused(422, plan("untyped", "{\"partitionTypes\": {\"day\": \"date\"}}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("invalid-cast");
        assertThat(problem.get("file").stringValue()).endsWith("/day=tomorrow/a.parquet");
        assertThat(problem.get("column").stringValue()).isEqualTo("day");
    }

    // ---- corrupt files

    @Test
    void theFirstCorruptFileIsNamedBeforeAnyRow() {
        JsonNode problem = refused(422, plan("corrupt", "{}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("file-corrupt");
        assertThat(problem.get("file").stringValue()).endsWith("/corrupt/cut.parquet");
    }

    @Test
    void corruptFilesAreLeftOutAndListedIfThatIsAsked() {
        String plan = plan("corrupt", "{\"onCorruptFile\": \"skip\"}");
        assertThat(server.ndjson(plan)).containsExactly("{\"id\":1}", "{\"id\":2}");

        JsonNode job = refused(201, plan);
        assertSkipped(job.required("snapshot").required("skipped"));
        assertThat(job.get("snapshot").get("files").intValue()).isEqualTo(1);
        String self = job.get("links").get("self").stringValue();
        assertSkipped(checked(200, "GET", self, "").get("snapshot").get("skipped"));
        JsonNode explained = checked(200, "GET", self + "/plan", "");
        assertThat(explained.get("physical").stringValue())
                .contains("skipped file://", "/corrupt/notes.txt: ");
        assertThat(explained.get("physicalPlan").get("skipped")).hasSize(3);

        String submission = "{\"plan\": " + plan + "}";
        assertSkipped(checked(200, "POST", "/v1/jobs?dryRun=true", submission).required("skipped"));
        assertSkipped(checked(200, "GET", "/v1/datasets/corrupt", "").required("skipped"));
        JsonNode none = checked(200, "GET", "/v1/datasets/years", "").get("skipped");
        assertThat(none.get("count").intValue()).isZero();
    }

    private static void assertSkipped(JsonNode skipped) {
        assertThat(skipped.get("count").intValue()).isEqualTo(3);
        List<String> names = new ArrayList<>();
        skipped.get("files")
                .forEach(
                        f -> {
                            names.add(f.get("file").stringValue().replaceFirst(".*/", ""));
                            assertThat(f.get("reason").stringValue()).isNotBlank();
                        });
        assertThat(names).containsExactly("cut.parquet", "notes.txt", "zero.parquet");
    }

    @Test
    void nothingButCorruptFilesIsAnError() {
        JsonNode problem = refused(422, plan("bad", "{\"onCorruptFile\": \"skip\"}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("file-corrupt");
        assertThat(problem.get("file").stringValue()).endsWith("/bad/notes.txt");
    }

    // ---- options

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"shema": "union"}                                  | not-supported | schema
                    {"onCorruptFiles": "skip"}                          | not-supported | onCorruptFile
                    {"schema": "loose"}                                 | invalid-plan  |
                    {"onCorruptFile": true}                             | invalid-plan  |
                    {"hivePartitioning": "yes"}                         | invalid-plan  |
                    {"partitionTypes": "int32"}                         | invalid-plan  |
                    {"partitionTypes": {"year": "list<int32>"}}         | invalid-plan  |
                    {"partitionTypes": {"year": "integer"}}             | type-mismatch |
                    {"partitionTypes": {"yaer": "int32"}}               | invalid-plan  | year
                    {"partitionTypes": {"year": "int32"}, "hivePartitioning": false} | invalid-plan |
                    """)
    void optionsAreChecked(String options, String code, String suggestion) {
        JsonNode problem = refused(400, plan("years", options));
        assertThat(problem.get("code").stringValue()).isEqualTo(code);
        if (suggestion != null) {
            assertThat(problem.get("suggestion").stringValue()).isEqualTo(suggestion);
        }
    }
}
