package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Contract;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files of text from a plan to pages. */
class TextFilesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Contract CONTRACT = new Contract();
    private static final int ROWS = 200_000;

    @TempDir static Path root;

    private static SpillwayServer server;

    @BeforeAll
    static void start() throws IOException {
        StringBuilder large = new StringBuilder("id,text,half\n");
        for (int i = 0; i < ROWS; i++) {
            large.append(i).append(",\"row ").append(i).append(",\nand more\",").append(i / 2.0);
            large.append('\n');
        }
        write("large.csv", large.toString());
        write("lake/day=1/a.csv", "id,code\n1,007\n2,\n");
        write("lake/day=2/b.csv", "code,id,extra\n8,3,x\n");
        write("odd/dialect.csv", "made by hand\n#x\na;b\n'1;2';\\N\n");
        write("bad/good.csv", "a,b\n1,2\n");
        write("bad/ragged.csv", "a,b\n1,2\n\"x\ny\",2\n3\n");
        write("late.csv", "a,b\n1,2\n3,x\n");
        Files.write(root.resolve("members.csv"), members("a,b\n1,", "2\n3,4\n"));
        server =
                SpillwayServer.builder()
                        .root(root)
                        .set("spillway.datasets.odd.format", "csv")
                        .set("spillway.datasets.odd.paths[0]", root + "/odd/dialect.csv")
                        .set("spillway.datasets.odd.options.delimiter", ";")
                        .set("spillway.datasets.odd.options.quote", "'")
                        .set("spillway.datasets.odd.options.comment", "#")
                        .set("spillway.datasets.odd.options.skipLines", "1")
                        .set("spillway.datasets.odd.options.nullStrings[0]", "\\N")
                        .set("spillway.datasets.odd.options.columns.b", "int32")
                        .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static byte[] members(String... texts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String text : texts) {
            try (GZIPOutputStream member = new GZIPOutputStream(bytes)) {
                member.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    private static String plan(String format, String path, String options) {
        return """
        {"from": {"files": {"format": "%s", "paths": ["%s/%s"], "options": %s}}}\
        """
                .formatted(format, root, path, options);
    }

    private static JsonNode submit(int status, String plan) {
        HttpAnswer answer = server.http().post("/v1/jobs", JSON, "{\"plan\": " + plan + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        CONTRACT.check("POST", "/v1/jobs", answer);
        return MAPPER.readTree(answer.text());
    }

    private static List<String> schema(JsonNode job) {
        List<String> columns = new ArrayList<>();
        job.required("schema")
                .forEach(
                        c ->
                                columns.add(
                                        c.get("name").stringValue()
                                                + " "
                                                + c.get("type").stringValue()));
        return columns;
    }

    @Test
    void aCsvFileIsPagedAtAnyOffset() {
        JsonNode job = submit(201, plan("csv", "large.csv", "{}"));
        assertThat(schema(job)).containsExactly("id int64", "text utf8", "half float64");
        assertThat(job.get("rowCount").longValue()).isEqualTo(ROWS);
        String id = job.get("id").stringValue();
        for (int offset : new int[] {0, 1, 99_999, 150_000, ROWS - 1}) {
            HttpAnswer answer =
                    server.http().get("/v1/jobs/" + id + "/rows?limit=1&offset=" + offset, JSON);
            assertThat(answer.status()).isEqualTo(200);
            JsonNode row = MAPPER.readTree(answer.text()).get("rows").get(0);
            assertThat(row.toString())
                    .isEqualTo(
                            "{\"id\":%d,\"text\":\"row %d,\\nand more\",\"half\":%s}"
                                    .formatted(offset, offset, offset / 2.0));
        }
        assertThat(server.lines(id, "offset=0")).hasSize(ROWS);
    }

    @Test
    void foldersOfCsvAreColumnsAndTypesAreThoseOfAllFiles() {
        JsonNode job = submit(201, plan("csv", "lake", "{}"));
        assertThat(schema(job)).containsExactly("id int64", "code utf8", "extra utf8", "day utf8");
        assertThat(server.lines(job.get("id").stringValue(), "offset=0"))
                .containsExactly(
                        "{\"id\":1,\"code\":\"007\",\"extra\":null,\"day\":\"1\"}",
                        "{\"id\":2,\"code\":null,\"extra\":null,\"day\":\"1\"}",
                        "{\"id\":3,\"code\":\"8\",\"extra\":\"x\",\"day\":\"2\"}");
    }

    @Test
    void datasetsHaveDialects() {
        assertThat(server.ndjson("{\"from\": {\"dataset\": \"odd\"}}"))
                .containsExactly("{\"a\":\"1;2\",\"b\":null}");
    }

    @Test
    void membersOfGzipAreOneText() {
        assertThat(server.ndjson(plan("csv", "members.csv", "{}")))
                .containsExactly("{\"a\":1,\"b\":2}", "{\"a\":3,\"b\":4}");
    }

    @Test
    void aRaggedRowIsRefusedByFileAndLineOrItsFileIsSkipped() {
        JsonNode problem = submit(422, plan("csv", "bad", "{}"));
        assertThat(problem.get("code").stringValue()).isEqualTo("file-corrupt");
        assertThat(problem.get("file").stringValue()).endsWith("/bad/ragged.csv");
        assertThat(problem.get("line").intValue()).isEqualTo(5);
        JsonNode job = submit(201, plan("csv", "bad", "{\"onCorruptFile\": \"skip\"}"));
        assertThat(job.get("rowCount").longValue()).isEqualTo(1);
    }

    @Test
    void aValueOfAnotherTypeThanGivenNamesFileLineAndColumn() {
        JsonNode job = submit(201, plan("csv", "late.csv", "{\"columns\": {\"b\": \"int32\"}}"));
        HttpAnswer answer =
                server.http().get("/v1/jobs/" + job.get("id").stringValue() + "/rows", JSON);
        assertThat(answer.status()).isEqualTo(422);
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isEqualTo("invalid-cast");
        assertThat(problem.get("line").intValue()).isEqualTo(3);
        assertThat(problem.get("column").stringValue()).isEqualTo("b");
        assertThat(problem.get("file").stringValue()).endsWith("/late.csv");
    }
}
