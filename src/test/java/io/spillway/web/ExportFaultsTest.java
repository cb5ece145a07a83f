package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.MemoryPool;
import io.spillway.testing.Exports;
import io.spillway.testing.HdfsServer;
import io.spillway.testing.S3Server;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Exports that are canceled, interrupted, or find no room; and other file systems than the local one. */
class ExportFaultsTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir private Path folder;

    private SpillwayServer.Builder service() {
        return SpillwayServer.builder()
                .home(folder.resolve("home"))
                .root(folder)
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                .set("spillway.exports.lease", "1s")
                .set("spillway.exports.roots[0]", folder.resolve("out").toString());
    }

    /** Some million rows with long texts: seconds of work. */
    private static String large(SpillwayServer server) {
        return server.submit(
                """
                {"from": {"dataset": "flights"},
                 "steps": [{"op": "rowIndex", "name": "n"},
                           {"op": "withColumns", "columns": {
                             "a": "origin || CAST(n AS VARCHAR) || destination || CAST(delay AS VARCHAR)",
                             "b": "CAST(n * 7919 AS VARCHAR) || destination || CAST(distance AS VARCHAR)"}}]}
                """);
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
            assertThat(started(exports, id).required("state").stringValue()).isEqualTo("RUNNING");
            assertThat(Exports.tree(out)).isNotEmpty().allMatch(name -> name.startsWith("."));
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
        try (SpillwayServer server = service().set("spillway.memory.budget", "24MB").start()) {
            Exports exports = new Exports(server.http());
            JsonNode document =
                    exports.completed(large(server), out.resolve("x.parquet"), Map.of());
            assertThat(document.at("/files/0/rows").longValue()).isEqualTo(3_000_000);
            noMemoryIsHeld(server);
            assertThat(server.bean("memory", MemoryPool.class).peak()).isLessThan(24L << 20);
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
                            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\", \"rows\": 20000}]}");
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
}
