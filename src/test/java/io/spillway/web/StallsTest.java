package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RawCall;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections whose peers take nothing are closed, whatever was to be sent; slow ones stay. */
class StallsTest {

    private static final Duration STALL = Duration.ofSeconds(3);

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static String job;

    @BeforeAll
    static void start() {
        Path file =
                ParquetFiles.write(
                        folder.resolve("texts.parquet"),
                        "SELECT range AS id, repeat('text ' || range, 20) AS text FROM"
                                + " range(300000)");
        server =
                SpillwayServer.builder()
                        .dataset("texts", file)
                        .set("spillway.limits.stall", STALL.toSeconds() + "s")
                        .start();
        job = server.submit("{\"from\": {\"dataset\": \"texts\"}}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void everythingIsGivenBack() {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () -> {
                            assertThat(server.bean("jobManager", JobManager.class).readers())
                                    .isZero();
                            assertThat(server.bean("memory", MemoryPool.class).held()).isZero();
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "format=json&limit=10000",
                "format=ndjson",
                "format=csv",
                "format=arrow",
                "format=sse"
            })
    void whoTakesNothingIsCutOff(String query) {
        try (RawCall call =
                new RawCall(server.port(), "/v1/jobs/" + job + "/rows?" + query, "*/*", 4_096)) {
            assertThat(call.text(15)).isEqualTo("HTTP/1.1 200 OK");
            await().atMost(STALL.multipliedBy(4))
                    .untilAsserted(
                            () ->
                                    assertThat(server.bean("memory", MemoryPool.class).held())
                                            .isZero());
            String rest = call.readToEnd();
            assertThat(rest).doesNotEndWith("\r\n0\r\n\r\n").doesNotContain("event: end");
        }
    }

    @Test
    void whoTakesALittleNowAndThenStays() throws InterruptedException {
        long nanos = STALL.multipliedBy(2).toNanos();
        try (RawCall call =
                new RawCall(
                        server.port(), "/v1/jobs/" + job + "/rows?format=ndjson", "*/*", 4_096)) {
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() < end) {
                assertThat(call.read(2_000)).isEqualTo(2_000);
                Thread.sleep(100);
            }
            assertThat(server.bean("jobManager", JobManager.class).readers()).isEqualTo(1);
        }
    }
}
