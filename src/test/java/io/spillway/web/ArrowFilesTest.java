package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scan.arrow.ArrowWriting;
import io.spillway.testing.ArrowRows;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.Contract;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Arrow files and streams from a plan to pages. */
class ArrowFilesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Contract CONTRACT = new Contract();
    private static final int BATCHES = 40;
    private static final int BATCH_ROWS = 25_000;

    private static final Set<StandardOpenOption> CREATE_NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    @TempDir static Path root;

    private static SpillwayServer server;

    @BeforeAll
    static void start() throws IOException {
        writeNumbers("large.arrow", true, BATCHES, BATCH_ROWS);
        writeNumbers("large.arrows", false, BATCHES, BATCH_ROWS);
        Schema where = new Schema(List.of(ArrowWriting.encodedTexts("where")));
        try (ArrowWriting stream = ArrowWriting.stream(where)) {
            stream.dictionary(false, "north").indices(0);
            stream.dictionary(false, "south", "east").indices(0, 1);
            stream.dictionary(true, "west").indices(2, null);
            write("changing.arrows", stream.end());
        }
        narrow("lake/day=1/a.arrow");
        writeNumbers("lake/day=2/b.arrows", false, 1, 2);
        writeNumbers("lake/day=3/none.arrow", true, 0, 0);
        byte[] whole = Files.readAllBytes(root.resolve("large.arrows"));
        write("bad/cut.arrows", Arrays.copyOf(whole, whole.length / 2));
        write("bad/other.arrow", "id,text\n1,a\n".getBytes(StandardCharsets.UTF_8));
        damaged("bad/damaged.arrows");
        server =
                SpillwayServer.builder()
                        .root(root)
                        .set("spillway.datasets.numbers.format", "arrow")
                        .set("spillway.datasets.numbers.paths[0]", root + "/large.arrow")
                        .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void write(String name, byte[] bytes) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    /** Batches of an id and a text. */
    private static void writeNumbers(String name, boolean isFile, int batches, int rows)
            throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        try (RootAllocator allocator = new RootAllocator();
                BigIntVector ids = new BigIntVector("id", allocator);
                VarCharVector texts = new VarCharVector("text", allocator);
                VectorSchemaRoot columns = VectorSchemaRoot.of(ids, texts);
                var out = Files.newByteChannel(file, CREATE_NEW);
                ArrowWriter writer =
                        isFile
                                ? new ArrowFileWriter(columns, null, out)
                                : new ArrowStreamWriter(columns, null, out)) {
            writer.start();
            for (int batch = 0; batch < batches; batch++) {
                for (int i = 0; i < rows; i++) {
                    long id = (long) batch * rows + i;
                    ids.setSafe(i, id);
                    texts.setSafe(i, ("row " + id).getBytes(StandardCharsets.UTF_8));
                }
                columns.setRowCount(rows);
                writer.writeBatch();
            }
            writer.end();
        }
    }

    /** A file whose id is narrower, and that has a column more and one less. */
    private static void narrow(String name) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        try (RootAllocator allocator = new RootAllocator();
                IntVector extra = new IntVector("extra", allocator);
                IntVector ids = new IntVector("id", allocator);
                VectorSchemaRoot columns = VectorSchemaRoot.of(extra, ids);
                var out = Files.newByteChannel(file, CREATE_NEW);
                ArrowFileWriter writer = new ArrowFileWriter(columns, null, out)) {
            ids.setSafe(0, 7);
            extra.setSafe(0, 70);
            columns.setRowCount(1);
            writer.start();
            writer.writeBatch();
            writer.end();
        }
    }

    /** A stream of two batches of texts, the second with offsets that go back. */
    private static void damaged(String name) throws IOException {
        Field field = new Field("text", FieldType.nullable(ArrowType.Utf8.INSTANCE), null);
        try (ArrowWriting stream = ArrowWriting.stream(new Schema(List.of(field)));
                RootAllocator allocator = new RootAllocator();
                VarCharVector texts = new VarCharVector(field, allocator)) {
            for (int i = 0; i < 3; i++) {
                texts.setSafe(i, new byte[] {'a', 'b'});
            }
            texts.setValueCount(3);
            stream.batch(List.<FieldVector>of(texts), 3);
            texts.getOffsetBuffer().setInt(4, 5);
            stream.batch(List.<FieldVector>of(texts), 3);
            write(name, stream.end());
        }
    }

    private static String plan(String path) {
        return """
        {"from": {"files": {"format": "arrow", "paths": ["%s/%s"]}}}\
        """
                .formatted(root, path);
    }

    private static JsonNode submit(int status, String plan) {
        HttpAnswer answer = server.http().post("/v1/jobs", JSON, "{\"plan\": " + plan + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        CONTRACT.check("POST", "/v1/jobs", answer);
        return MAPPER.readTree(answer.text());
    }

    private static List<String> schema(JsonNode job) {
        List<String> columns = new ArrayList<>();
        for (JsonNode column : job.required("schema")) {
            columns.add(column.get("name").stringValue() + " " + column.get("type").stringValue());
        }
        return columns;
    }

    private static HttpAnswer rows(JsonNode job, String query, String accept) {
        String id = job.get("id").stringValue();
        return server.http().get("/v1/jobs/" + id + "/rows?" + query, accept);
    }

    @Test
    void filesAndStreamsArePagedAtAnyOffset() {
        for (String name : List.of("large.arrow", "large.arrows")) {
            JsonNode job = submit(201, plan(name));
            assertThat(schema(job)).containsExactly("id int64", "text utf8");
            long all = (long) BATCHES * BATCH_ROWS;
            assertThat(job.get("rowCount").longValue()).isEqualTo(all);
            for (long offset : new long[] {0, 1, 24_999, 25_000, 499_999, all - 2}) {
                HttpAnswer answer = rows(job, "limit=2&offset=" + offset, JSON);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(MAPPER.readTree(answer.text()).get("rows").toString())
                        .isEqualTo(
                                "[{\"id\":%d,\"text\":\"row %d\"},{\"id\":%d,\"text\":\"row %d\"}]"
                                        .formatted(offset, offset, offset + 1, offset + 1));
            }
            List<String> lines = server.lines(job.get("id").stringValue(), "offset=0");
            assertThat(lines).hasSize((int) all);
            assertThat(lines.getLast())
                    .isEqualTo("{\"id\":%d,\"text\":\"row %d\"}".formatted(all - 1, all - 1));
        }
    }

    @Test
    void aDatasetOfArrowFilesIsFilteredAndCounted() {
        String sql = "SELECT COUNT(*) AS n, MAX(text) AS last FROM numbers WHERE id >= 999990";
        assertThat(server.ndjson("{\"from\": {\"sql\": \"" + sql + "\"}}"))
                .containsExactly("{\"n\":10,\"last\":\"row 999999\"}");
    }

    @Test
    void dictionariesThatChangeGiveTheSameRowsInPagesOfAnySize() throws IOException {
        JsonNode job = submit(201, plan("changing.arrows"));
        List<@Nullable String> expected = new ArrayList<>();
        for (String name : new String[] {"north", "south", "east", "west", null}) {
            expected.add(name);
        }
        for (int page = 1; page <= 5; page++) {
            List<@Nullable String> json = new ArrayList<>();
            List<@Nullable String> arrow = new ArrayList<>();
            for (int offset = 0; offset < 5; offset += page) {
                String query = "limit=" + page + "&offset=" + offset;
                MAPPER.readTree(rows(job, query, JSON).text())
                        .get("rows")
                        .forEach(
                                row ->
                                        json.add(
                                                row.get("where").isNull()
                                                        ? null
                                                        : row.get("where").stringValue()));
                String id = job.get("id").stringValue();
                try (ChunkedResponse answer = RowForm.ARROW.ask(server.port(), id, query)) {
                    ArrowRows.parse(answer.readAll())
                            .rows()
                            .forEach(row -> arrow.add(row.getFirst()));
                }
            }
            assertThat(json).isEqualTo(expected);
            assertThat(arrow).isEqualTo(expected);
        }
    }

    @Test
    void foldersOfFilesThatDifferAreOneTable() {
        JsonNode job = submit(201, plan("lake"));
        assertThat(schema(job)).containsExactly("extra int32", "id int64", "text utf8", "day utf8");
        assertThat(server.lines(job.get("id").stringValue(), "offset=0"))
                .containsExactly(
                        "{\"extra\":70,\"id\":7,\"text\":null,\"day\":\"1\"}",
                        "{\"extra\":null,\"id\":0,\"text\":\"row 0\",\"day\":\"2\"}",
                        "{\"extra\":null,\"id\":1,\"text\":\"row 1\",\"day\":\"2\"}");
    }

    @Test
    void filesThatAreDamagedAreRefusedByName() {
        for (String name : List.of("cut.arrows", "other.arrow")) {
            JsonNode problem = submit(422, plan("bad/" + name));
            assertThat(problem.get("code").stringValue()).isEqualTo("file-corrupt");
            assertThat(problem.get("file").stringValue()).endsWith(name);
        }
    }

    @Test
    void aBatchThatIsDamagedFailsWhereItIsReadAndNamesItsPlace() {
        JsonNode job = submit(201, plan("bad/damaged.arrows"));
        assertThat(rows(job, "limit=3&offset=0", JSON).status()).isEqualTo(200);
        HttpAnswer answer = rows(job, "limit=1&offset=4", JSON);
        assertThat(answer.status()).isEqualTo(422);
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isEqualTo("file-corrupt");
        assertThat(problem.get("recordBatch").intValue()).isEqualTo(1);
        assertThat(problem.get("column").stringValue()).isEqualTo("text");
    }

    @Test
    void aFileThatIsNoArrowFileCanBeSkipped() {
        String plan =
                """
                {"from": {"files": {"format": "arrow",
                  "paths": ["%s/bad/other.arrow", "%s/changing.arrows"],
                  "options": {"onCorruptFile": "skip"}}}}\
                """
                        .formatted(root, root);
        JsonNode job = submit(201, plan);
        assertThat(job.get("rowCount").longValue()).isEqualTo(5);
    }
}
