package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whatever file a caller names: a typed problem that names the file, soon, and the next caller is
 * served as if nothing had been.
 */
@Timeout(20)
@SuppressWarnings("NullAway.Init") // the folder and the server are there before all tests
class BadFilesTest {

    private static final Path SUITE =
            Path.of("src/test/resources/parquet-testing").toAbsolutePath();
    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static Path good;

    @BeforeAll
    static void start() {
        good = ParquetFiles.write(folder.resolve("good.parquet"), "SELECT 1 AS a, 'x' AS b");
        server = SpillwayServer.builder().root(folder).root(SUITE).start();
    }

    @AfterAll
    static void stop() {
        assertThat(server.bean("jobManager", JobManager.class).readers()).isZero();
        assertThat(server.bean("memory", MemoryPool.class).held()).isZero();
        server.close();
    }

    @AfterEach
    void theNextCallerIsServed() {
        assertThat(server.ndjson(plan(good))).containsExactly("{\"a\":1,\"b\":\"x\"}");
    }

    private static String plan(Path file) {
        return "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\"" + file + "\"]}}}";
    }

    /** The suite's files that nobody can read, in full or without keys. */
    static Stream<String> unreadable() throws IOException {
        try (Stream<Path> files = Files.walk(SUITE)) {
            return files
                    .map(f -> SUITE.relativize(f).toString())
                    .filter(BadFilesTest::isUnreadable)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static boolean isUnreadable(String file) {
        boolean bad = file.startsWith("bad_data/") && !file.contains("ARROW-GH-43605");
        boolean encrypted = file.endsWith(".encrypted") && !file.contains("plaintext_footer");
        return (bad && file.endsWith(".parquet"))
                || encrypted
                || file.contains("corrupt-checksum")
                || file.contains("brotli");
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void aFileThatCannotBeRead(String name) {
        isRefused(SUITE.resolve(name));
    }

    @Test
    void anEncryptedColumnIsRefusedOnlyIfItIsAskedFor() {
        Path file = SUITE.resolve("data/encrypt_columns_plaintext_footer.parquet.encrypted");
        String select = "{\"from\": %s, \"steps\": [{\"op\": \"select\", \"columns\": [\"%s\"]}]}";
        String from = MAPPER.readTree(plan(file)).get("from").toString();

        assertThat(server.ndjson(select.formatted(from, "int32_field"))).hasSize(50);
        HttpAnswer answer =
                server.http()
                        .post(
                                "/v1/rows",
                                NDJSON,
                                "{\"plan\": " + select.formatted(from, "float_field") + "}");
        assertThat(answer.status()).as(answer.text()).isBetween(400, 499);
        assertThat(answer.text()).contains("float_field").contains("encrypted");
    }

    @ParameterizedTest
    @MethodSource("noParquetFiles")
    void aFileThatIsNoParquetFile(byte[] bytes) throws IOException {
        Path file = folder.resolve("bad.parquet");
        Files.write(file, bytes);

        isRefused(file);
    }

    static List<byte[]> noParquetFiles() {
        byte[] lies =
                ByteBuffer.allocate(12)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put("PAR1".getBytes(StandardCharsets.US_ASCII))
                        .putInt(Integer.MAX_VALUE)
                        .put("PAR1".getBytes(StandardCharsets.US_ASCII))
                        .array();
        return List.of(
                new byte[0],
                "PAR1".getBytes(StandardCharsets.US_ASCII),
                "PAR1PAR1".getBytes(StandardCharsets.US_ASCII),
                "a,b\n1,2\n".getBytes(StandardCharsets.US_ASCII),
                lies);
    }

    /** Rows are refused at once, a job when it is submitted or when its rows are asked for. */
    private static void isRefused(Path file) {
        isProblem(server.http().post("/v1/rows", NDJSON, "{\"plan\": " + plan(file) + "}"), file);
        HttpAnswer job = server.http().post("/v1/jobs", JSON, "{\"plan\": " + plan(file) + "}");
        if (job.status() == 201) {
            String id = MAPPER.readTree(job.text()).get("id").stringValue();
            isProblem(server.http().get("/v1/jobs/" + id + "/rows?limit=10", JSON), file);
        } else {
            isProblem(job, file);
        }
    }

    private static void isProblem(HttpAnswer answer, Path file) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isIn("file-corrupt", "file-not-supported");
        assertThat(problem.get("file").stringValue()).endsWith("/" + file.getFileName());
    }
}
