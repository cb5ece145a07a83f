package io.spillway.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RawCall;
import io.spillway.testing.SlowLine;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
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

    private static final Duration STALL = Duration.ofSeconds(2);
    private static final Duration TOLERANCE = Duration.ofMillis(1_500);

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
        await().atMost(Duration.ofSeconds(10)).untilAsserted(StallsTest::assertGivenBack);
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
            // It must not read before, not even to look: the kernel may hold all that it asked for.
            await().pollDelay(STALL.plus(TOLERANCE))
                    .atMost(STALL.multipliedBy(4))
                    .untilAsserted(StallsTest::assertGivenBack);
            assertThat(call.isReset()).isTrue();
        }
    }

    /** Its end is not to be seen: whoever is there takes what comes, and hands nothing on. */
    @Test
    void whoIsBehindAFrozenLineIsCutOff() throws IOException {
        try (SlowLine line = new SlowLine(server.port(), Duration.ZERO);
                RawCall call = new RawCall(line.port(), ndjson(), "*/*", 4_096)) {
            assertThat(call.text(15)).isEqualTo("HTTP/1.1 200 OK");
            line.freeze();
            isGivenBackInTime();
        }
    }

    @Test
    void whoseProcessIsStoppedIsCutOff() throws IOException, InterruptedException {
        Process reader =
                shell(
                        "exec 3<>/dev/tcp/127.0.0.1/%d; printf 'GET %s HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' >&3; exec cat <&3"
                                .formatted(server.port(), ndjson()));
        try {
            assertThat(new String(reader.getInputStream().readNBytes(15), US_ASCII))
                    .isEqualTo("HTTP/1.1 200 OK");
            assertThat(shell("kill -STOP " + reader.pid()).waitFor()).isZero();
            isGivenBackInTime();
        } finally {
            reader.destroyForcibly();
        }
    }

    private static String ndjson() {
        return "/v1/jobs/" + job + "/rows?format=ndjson";
    }

    private static Process shell(String command) throws IOException {
        return new ProcessBuilder("bash", "-c", command).start();
    }

    private static void isGivenBackInTime() {
        await().atMost(STALL.plus(TOLERANCE)).untilAsserted(StallsTest::assertGivenBack);
    }

    private static void assertGivenBack() {
        assertThat(server.bean("jobManager", JobManager.class).readers()).isZero();
        assertThat(server.bean("memory", MemoryPool.class).held()).isZero();
    }

    @Test
    void whoTakesALittleNowAndThenStays() throws InterruptedException {
        long nanos = STALL.multipliedBy(2).toNanos();
        try (RawCall call = new RawCall(server.port(), ndjson(), "*/*", 4_096)) {
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() < end) {
                assertThat(call.read(2_000)).isEqualTo(2_000);
                Thread.sleep(100);
            }
            assertThat(server.bean("jobManager", JobManager.class).readers()).isEqualTo(1);
        }
    }
}
