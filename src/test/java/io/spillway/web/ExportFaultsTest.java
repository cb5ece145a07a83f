package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.spillway.benchmark.JavaProcess;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.Exports;
import io.spillway.testing.HdfsServer;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.HttpCaller;
import io.spillway.testing.S3Server;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Exports that are canceled, interrupted, or find no room; and other file systems than the local
 * one.
 */
class ExportFaultsTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** Some million rows with long texts: seconds of work. */
    private static final String LARGE =
            """
            {"from": {"dataset": "flights"},
             "steps": [{"op": "rowIndex", "name": "n"},
                       {"op": "withColumns", "columns": {
                         "a": "origin || CAST(n AS VARCHAR) || destination || CAST(delay AS VARCHAR)",
                         "b": "CAST(n * 7919 AS VARCHAR) || destination || CAST(distance AS VARCHAR)"}}]}
            """;

    @TempDir private Path folder;

    private SpillwayServer.Builder service() {
        return SpillwayServer.builder()
                .home(folder.resolve("home"))
                .root(folder)
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                .set("spillway.exports.lease", "1s")
                .set("spillway.exports.roots[0]", folder.resolve("out").toString());
    }

    private static String large(SpillwayServer server) {
        return server.submit(LARGE);
    }

    private static JsonNode started(Exports exports, String id) {
        await().atMost(SOON)
                .until(
                        () -> {
                            JsonNode document = exports.document(id);
                            return document.required("progress").required("rows").longValue() > 0;
                        });
        return exports.document(id);
    }

    private static void noMemoryIsHeld(SpillwayServer server) {
        await().atMost(SOON).until(() -> server.bean("memory", MemoryPool.class).held() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"maxFileRows\": 300000}"})
    void aCanceledExportLeavesNothing(String more) throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        try (SpillwayServer server = service().start()) {
            Exports exports = new Exports(server.http());
            String id =
                    exports.begin(
                            large(server),
                            out.resolve("x"),
                            more.equals("{}") ? Map.of() : Map.of("maxFileRows", 300_000));
            await().atMost(SOON).until(() -> !Exports.tree(out).isEmpty());
            assertThat(Exports.tree(out)).allMatch(name -> name.startsWith("."));
            assertThat(exports.document(id).required("state").stringValue()).isEqualTo("RUNNING");
            server.http().call("DELETE", "/v1/exports/" + id, Map.of(), null);
            assertThat(exports.document(id).required("state").stringValue()).isEqualTo("CANCELED");
            await().atMost(SOON).until(() -> Exports.tree(out).isEmpty());
            noMemoryIsHeld(server);
        }
    }

    @Test
    void anExportEndsWithItsJob() throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        try (SpillwayServer server = service().start()) {
            Exports exports = new Exports(server.http());
            String job = large(server);
            String id = exports.begin(job, out.resolve("x"), Map.of());
            started(exports, id);
            server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            JsonNode ended = exports.ended(id);
            assertThat(ended.required("state").stringValue()).isEqualTo("FAILED");
            assertThat(ended.at("/failure/code").stringValue()).isEqualTo("job-canceled");
            assertThat(Exports.tree(out)).isEmpty();
            noMemoryIsHeld(server);
        }
    }

    @Test
    void aRestartBeginsAnew() throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        Path file = out.resolve("x.parquet");
        String id;
        try (SpillwayServer server = service().start()) {
            Exports exports = new Exports(server.http());
            id = exports.begin(large(server), file, Map.of());
            started(exports, id);
        }
        assertThat(Exports.tree(out)).isEmpty();
        try (SpillwayServer server = service().start()) {
            Exports exports = new Exports(server.http());
            JsonNode ended = exports.ended(id);
            assertThat(ended.required("state").stringValue()).isEqualTo("COMPLETED");
            assertThat(ended.at("/files/0/rows").longValue()).isEqualTo(3_000_000);
            assertThat(Exports.tree(out)).containsExactly("x.parquet");
        }
    }

    @Test
    void onlySoManyAreWrittenAtOnce() throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        try (SpillwayServer server = service().set("spillway.exports.running", "1").start()) {
            Exports exports = new Exports(server.http());
            String job = large(server);
            String first = exports.begin(job, out.resolve("1"), Map.of());
            started(exports, first);
            String second = exports.begin(job, out.resolve("2"), Map.of());
            assertThat(exports.document(second).required("state").stringValue())
                    .isEqualTo("QUEUED");
            server.http().call("DELETE", "/v1/exports/" + first, Map.of(), null);
            started(exports, second);
            server.http().call("DELETE", "/v1/exports/" + second, Map.of(), null);
            await().atMost(SOON).until(() -> Exports.tree(out).isEmpty());
        }
    }

    @Test
    void littleMemoryMakesSmallRowGroups() throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        try (SpillwayServer server = service().set("spillway.memory.budget", "64MB").start()) {
            Exports exports = new Exports(server.http());
            JsonNode document =
                    exports.completed(large(server), out.resolve("x.parquet"), Map.of());
            assertThat(document.at("/files/0/rows").longValue()).isEqualTo(3_000_000);
            noMemoryIsHeld(server);
            assertThat(server.bean("memory", MemoryPool.class).peak()).isLessThan(64L << 20);
        }
    }

    @Test
    void aFailureOfARowIsTold() throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        try (SpillwayServer server = service().start()) {
            Exports exports = new Exports(server.http());
            String job =
                    server.submit(
                            """
                            {"from": {"dataset": "flights"},
                             "steps": [{"op": "rowIndex", "name": "n"},
                                       {"op": "withColumns", "columns": {"x": "1 / (n - 2500000)"}}]}
                            """);
            JsonNode ended = exports.ended(exports.begin(job, out.resolve("x"), Map.of()));
            assertThat(ended.required("state").stringValue()).isEqualTo("FAILED");
            assertThat(ended.at("/failure/code").stringValue()).isEqualTo("division-by-zero");
            assertThat(Exports.tree(out)).isEmpty();
            noMemoryIsHeld(server);
        }
    }

    @Test
    void objectStoresAndHdfsHaveTheRows() {
        S3Server s3 = S3Server.shared();
        String bucket = s3.bucket();
        String hdfs = HdfsServer.shared().uri() + "/exports";
        SpillwayServer.Builder service =
                SpillwayServer.builder()
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .set("spillway.exports.roots[0]", "s3://" + bucket + "/out")
                        .set("spillway.exports.roots[1]", hdfs)
                        .set("spillway.sources.roots[0]", "s3://" + bucket)
                        .set("spillway.sources.roots[1]", hdfs);
        s3.properties(s3.port())
                .forEach((k, v) -> service.set("spillway.sources.hadoop.properties[" + k + "]", v));
        try (SpillwayServer server = service.start()) {
            Exports exports = new Exports(server.http());
            String job =
                    server.submit(
                            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\","
                                    + " \"rows\": 20000}]}");
            List<String> rows = server.lines(job, "");
            for (String root : List.of("s3://" + bucket + "/out", hdfs)) {
                exports.completed(job, root + "/one.parquet", Map.of());
                exports.completed(job, root + "/parts/", Map.of("maxFileRows", 7_000));
                for (String path : List.of("/one.parquet", "/parts")) {
                    assertThat(
                                    server.ndjson(
                                            "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\"%s\"]}}}"
                                                    .formatted(root + path)))
                            .isEqualTo(rows);
                }
                assertThat(exports.ask(job, root + "/one.parquet", Map.of()).status())
                        .isEqualTo(409);
                assertThat(exports.ask(job, root + "/parts", Map.of("maxFileRows", 1)).status())
                        .isEqualTo(409);
            }
            assertThat(s3.uploads(bucket)).isEmpty();
        }
    }

    @Test
    void aFullDiskIsToldAndTheNextExportRuns() throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        Process mount =
                new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", out.toString())
                        .redirectErrorStream(true)
                        .start();
        assumeThat(mount.waitFor()).as("whether a disk can be mounted here").isZero();
        try (SpillwayServer server = service().start()) {
            Exports exports = new Exports(server.http());
            String job = large(server);
            for (Map<String, Object> more :
                    List.<Map<String, Object>>of(Map.of(), Map.of("maxFileBytes", "1MB"))) {
                JsonNode full = exports.ended(exports.begin(job, out.resolve("x"), more));
                assertThat(full.at("/failure/code").stringValue()).isEqualTo("disk-full");
                assertThat(full.at("/failure/status").intValue()).isEqualTo(507);
                assertThat(Exports.tree(out)).isEmpty();
            }
            exports.completed(
                    server.submit(
                            "{\"from\": {\"values\": {\"columns\": [{\"name\": \"a\", \"type\":"
                                    + " \"int8\"}], \"rows\": [[1]]}}}"),
                    out.resolve("small.parquet"),
                    Map.of());
            noMemoryIsHeld(server);
        } finally {
            new ProcessBuilder("umount", out.toString()).start().waitFor();
        }
    }

    /** A service of its own process, on a home that is kept. */
    private Process process(int port) throws IOException {
        List<String> program = new ArrayList<>(JavaProcess.main("io.spillway.SpillwayApplication"));
        program.addAll(
                List.of(
                        "--server.port=" + port,
                        "--spillway.home=" + folder.resolve("home"),
                        "--spillway.exports.lease=1s",
                        "--spillway.exports.roots=" + folder.resolve("out"),
                        "--spillway.datasets.flights.paths="
                                + Path.of("samples/flights-3m.parquet").toAbsolutePath()));
        return JavaProcess.builder(program).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    @Test
    void afterAKillNoFolderIsVisibleAndTheExportGoesOn() throws Exception {
        afterAKill(Map.of("maxFileRows", 300_000));
    }

    @Test
    @Tag("long")
    void afterAKillNoFileIsVisibleAndTheExportGoesOn() throws Exception {
        afterAKill(Map.of());
    }

    private void afterAKill(Map<String, ?> more) throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Process killed = process(port);
        String id;
        try {
            HttpCaller http = new HttpCaller("http://127.0.0.1:" + port);
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> http.get("/actuator/health/readiness", "*/*").status() == 200);
            HttpAnswer job = http.post("/v1/jobs", "application/json", "{\"plan\":" + LARGE + "}");
            id =
                    new Exports(http)
                            .begin(
                                    new JsonMapper()
                                            .readTree(job.text())
                                            .required("id")
                                            .stringValue(),
                                    out.resolve("x"),
                                    more);
            await().atMost(SOON).until(() -> !Exports.tree(out).isEmpty());
        } finally {
            killed.destroyForcibly().waitFor();
        }
        assertThat(Exports.tree(out)).isNotEmpty().allMatch(name -> name.startsWith("."));
        try (SpillwayServer server = service().start()) {
            JsonNode ended = new Exports(server.http()).ended(id);
            assertThat(ended.required("state").stringValue()).isEqualTo("COMPLETED");
            assertThat(ended.at("/progress/rows").longValue()).isEqualTo(3_000_000);
            assertThat(Exports.tree(out)).allMatch(name -> name.startsWith("x"));
        }
    }
}
