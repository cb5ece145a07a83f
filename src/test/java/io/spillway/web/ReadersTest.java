package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.RawCall;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Readers over real sockets that leave, stall and crowd: each costs the service a bounded amount,
 * and nothing once it is gone.
 */
class ReadersTest {

    private static final String NDJSON = "application/x-ndjson";
    private static final Duration SOON = Duration.ofSeconds(1);

    /**
     * A second of idleness for each partition: with this budget the second one is only admitted
     * when the first has let go.
     */
    private static final Duration LETS_GO = Duration.ofSeconds(5);

    private static SpillwayServer server;
    private static String job;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .set("spillway.memory.budget", "96MB")
                        .set("spillway.memory.per-job", "96MB")
                        .set("spillway.limits.stall", "6s")
                        .start();
        job = server.submit("{\"from\": {\"dataset\": \"flights\"}}");
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
                            assertThat(readers()).isZero();
                            assertThat(memory().held()).isZero();
                            assertThat(memory().admitted()).isZero();
                            assertThat(memory().seated()).isZero();
                            assertThat(openSampleFiles()).isZero();
                        });
    }

    private static String rows(String query) {
        return "/v1/jobs/" + job + "/rows" + query;
    }

    private static int readers() {
        return server.bean("jobManager", JobManager.class).readers();
    }

    private static MemoryPool memory() {
        return server.bean("memory", MemoryPool.class);
    }

    private static long openSampleFiles() throws Exception {
        try (Stream<Path> handles = Files.list(Path.of("/proc/self/fd"))) {
            return handles.filter(ReadersTest::isSample).count();
        }
    }

    private static boolean isSample(Path handle) {
        try {
            return Files.readSymbolicLink(handle).toString().endsWith("flights-3m.parquet");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    void aReaderThatLeavesIsForgottenWithinASecond() {
        for (boolean reset : List.of(false, true)) {
            RawCall call = new RawCall(server.port(), rows(""), NDJSON, 1 << 16);
            call.read(2_000_000);
            assertThat(readers()).isEqualTo(1);
            if (reset) {
                call.reset();
            } else {
                call.close();
            }
            await().atMost(SOON)
                    .untilAsserted(
                            () -> {
                                assertThat(readers()).isZero();
                                assertThat(memory().held()).isZero();
                            });
        }
    }

    @Test
    void readersThatLeaveAtOnceLeaveNothingBehind() {
        for (int i = 0; i < 100; i++) {
            new RawCall(server.port(), rows("?offset=" + i * 29_000), NDJSON, 1 << 16).reset();
        }
    }

    @Test
    void aReaderThatStallsLetsGoOfItsFilesAndIsCutOffAfterTheLimit() {
        try (RawCall call = new RawCall(server.port(), rows(""), NDJSON, 4_096)) {
            call.read(100_000);
            await().atMost(LETS_GO)
                    .untilAsserted(
                            () -> {
                                assertThat(openSampleFiles()).isZero();
                                assertThat(memory().admitted()).isZero();
                            });
            await().atMost(Duration.ofSeconds(12))
                    .untilAsserted(() -> assertThat(readers()).isZero());
            String rest = call.readToEnd();
            assertThat(rest)
                    .as("no clean end")
                    .doesNotEndWith("\r\n0\r\n\r\n")
                    .doesNotContain("Spillway-Row-Count: 3");
        }
    }

    @Test
    void aSlowReaderThatIsReleasedGoesOnAtTheSameRow() {
        String whole;
        try (RawCall call =
                new RawCall(server.port(), rows("?offset=1000000&limit=400000"), NDJSON, 1 << 16)) {
            whole = call.readUntil("Spillway-Row-Count: 400000\r\n\r\n");
        }
        StringBuilder pieces = new StringBuilder();
        try (RawCall call =
                new RawCall(server.port(), rows("?offset=1000000&limit=400000"), NDJSON, 1 << 16)) {
            for (int i = 0; i < 3; i++) {
                pieces.append(call.text(3_000_000));
                await().atMost(LETS_GO).untilAsserted(() -> assertThat(openSampleFiles()).isZero());
            }
            pieces.append(call.readUntil("Spillway-Row-Count: 400000\r\n\r\n"));
        }
        assertThat(body(pieces.toString())).isEqualTo(body(whole));
    }

    /** The lines of a raw answer, whatever its chunks. */
    private static String body(String answer) {
        StringBuilder body = new StringBuilder();
        int at = answer.indexOf("\r\n\r\n") + 4;
        while (true) {
            int end = answer.indexOf("\r\n", at);
            int length = Integer.parseInt(answer, at, end, 16);
            if (length == 0) {
                return body.toString();
            }
            body.append(answer, end + 2, end + 2 + length);
            at = end + 2 + length + 2;
        }
    }

    @Test
    void twentySlowReadersAndAFastOneStayWithinTheBudget() {
        List<RawCall> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                RawCall call =
                        new RawCall(server.port(), rows("?offset=" + i * 100_000), NDJSON, 1 << 15);
                call.read(20_000);
                slow.add(call);
            }
            HttpAnswer fast = server.http().get(rows("?offset=2000000"), NDJSON);
            assertThat(fast.trailer("Spillway-Row-Count")).contains("1000000");
            slow.forEach(call -> call.read(200_000));
            assertThat(memory().peak()).isLessThanOrEqualTo(96 << 20);
        } finally {
            slow.forEach(RawCall::close);
        }
    }

    /**
     * Readers that take nothing leave their seats to those who do: none is dropped, none refused.
     */
    @Test
    void farMoreReadersThanThereAreSeatsAreLetInOneAfterTheOther() throws Exception {
        List<RawCall> stalled = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                RawCall call = new RawCall(server.port(), rows("?offset=" + i), NDJSON, 1 << 15);
                stalled.add(call);
                assertThat(call.text(15)).startsWith("HTTP/1.1 200");
                Thread.sleep(60);
            }
            assertThat(memory().seated()).isLessThanOrEqualTo(48 << 20);
            assertThat(server.http().get(rows("?limit=1"), NDJSON).status()).isEqualTo(200);
        } finally {
            stalled.forEach(RawCall::close);
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(memory().seated()).isZero());
    }

    @Test
    void aReaderForWhomThereIsNoMemoryIsRefusedAtOnceAndLetInLater() {
        MemoryReservation others = memory().seat(48 << 20);
        try (others) {
            HttpAnswer refused = server.http().get(rows("?limit=1"), NDJSON);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(refused.text()).contains("too-many-readers");
        }
        assertThat(server.http().get(rows("?limit=1"), NDJSON).status()).isEqualTo(200);
    }

    @Test
    void deletingAJobCutsItsReadersOff() {
        String doomed = server.submit("{\"from\": {\"dataset\": \"flights\"}}");
        try (RawCall call =
                new RawCall(server.port(), "/v1/jobs/" + doomed + "/rows", NDJSON, 1 << 16)) {
            call.read(1_000_000);
            HttpAnswer deleted = server.http().call("DELETE", "/v1/jobs/" + doomed, Map.of(), null);
            assertThat(deleted.status()).isEqualTo(204);
            String rest = call.readToEnd();
            assertThat(rest).doesNotContain("Spillway-Row-Count: 3").doesNotEndWith("0\r\n\r\n");
        }
        HttpAnswer after = server.http().get("/v1/jobs/" + doomed + "/rows", "application/json");
        assertThat(after.status()).isEqualTo(410);
        assertThat(after.text()).contains("job-canceled");
    }
}
