package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.MemoryPool;
import io.spillway.spill.SpillManager;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real disks that fill up while a job is computed: that job is told so, and nobody else. */
@SuppressWarnings("NullAway.Init") // the data are there before all tests
class SpillDisksTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir static Path data;
    @TempDir Path folder;

    private static Path rows;
    private Path disk;

    @BeforeAll
    static void makeData() {
        rows =
                ParquetFiles.write(
                        data.resolve("rows.parquet"),
                        "SELECT range AS id, md5(range::VARCHAR) || md5((range + 1)::VARCHAR) ||"
                                + " md5((range * 7)::VARCHAR) AS text FROM range(1000000)",
                        "ROW_GROUP_SIZE 10240");
    }

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Process mount =
                new ProcessBuilder(
                                "mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString())
                        .redirectErrorStream(true)
                        .start();
        assumeThat(mount.waitFor()).as("whether a disk can be mounted here").isZero();
    }

    @AfterEach
    void unmount() throws Exception {
        new ProcessBuilder("umount", disk.toString()).start().waitFor();
    }

    private static String sort(String filter) {
        return """
        {"from": {"files": {"format": "parquet", "paths": ["%s"]}},
         "steps": [{"op": "filter", "where": "%s"}, {"op": "sort", "by": ["text", "id"]}]}
        """
                .formatted(rows, filter);
    }

    private List<Path> onDisk() {
        try (Stream<Path> tree = Files.walk(disk)) {
            return tree.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().endsWith("lock"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HttpAnswer count(SpillwayServer server, String job) {
        HttpAnswer answer;
        do {
            answer = server.http().post("/v1/jobs/" + job + ":count?wait=50s", JSON, "");
        } while (answer.status() == 202);
        return answer;
    }

    private void isFullAndTheNextJobRuns(SpillwayServer server) {
        String large = server.submit(sort("id >= 0"));
        HttpAnswer answer = count(server, large);
        assertThat(answer.status()).as(answer.text()).isEqualTo(507);
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isEqualTo("disk-full");
        assertThat(problem.get("detail").stringValue()).doesNotContain(disk.toString());

        SpillManager spill = server.bean("spillManager", SpillManager.class);
        MemoryPool memory = server.bean("memory", MemoryPool.class);
        await().atMost(SOON).until(() -> onDisk().isEmpty());
        await().atMost(SOON).until(() -> spill.files() == 0 && spill.held() == 0);
        await().atMost(SOON).until(() -> memory.held() == 0 && memory.admitted() == 0);

        long written = spill.written();
        String next = server.submit(sort("id < 100000"));
        answer = count(server, next);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(spill.written()).as("the next job spills too").isGreaterThan(written);
        assertThat(server.lines(next, "")).hasSize(100_000);
        assertThat(spill.files()).isZero();
    }

    @Test
    void aSpillDiskThatFillsUp() {
        try (SpillwayServer server =
                SpillwayServer.builder()
                        .root(data)
                        .set("spillway.memory.budget", "64MB")
                        .set("spillway.memory.per-job", "16MB")
                        .set("spillway.spill.dir", disk.toString())
                        .start()) {
            isFullAndTheNextJobRuns(server);
        }
    }

    @Test
    void aSpoolDiskThatFillsUp() {
        try (SpillwayServer server =
                SpillwayServer.builder()
                        .root(data)
                        .set("spillway.memory.budget", "64MB")
                        .set("spillway.memory.per-job", "16MB")
                        .set("spillway.spool.uri", disk.toString())
                        .start()) {
            isFullAndTheNextJobRuns(server);
        }
    }
}
