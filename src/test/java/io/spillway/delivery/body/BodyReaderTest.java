package io.spillway.delivery.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.JobService;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.document.BodyFormat;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** How bodies are read: what is held and read meanwhile, and what is left afterwards. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class BodyReaderTest {

    private static final int ROWS = 200_000;
    private static final int TEXT = 500;

    /** Of a job that may hold little. */
    private static final long LITTLE = 64_000_000;

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static Bodies bodies;

    @BeforeAll
    static void start() {
        Path file =
                ParquetFiles.write(
                        folder.resolve("texts.parquet"),
                        "SELECT i AS id, repeat(chr((65 + i %% 26)::INTEGER), %d) AS text"
                                        .formatted(TEXT)
                                + " FROM range(0, %d) AS t(i)".formatted(ROWS),
                        "ROW_GROUP_SIZE 20480, DICTIONARY_SIZE_LIMIT 1");
        server = SpillwayServer.builder().dataset("texts", file).start();
        bodies = new Bodies(server);
    }

    @AfterEach
    void nothingIsHeld() {
        bodies.assertNothingHeld();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String job(long memoryLimit) {
        HttpAnswer answer =
                server.http()
                        .post(
                                "/v1/jobs",
                                "application/json",
                                """
                                {"plan": {"from": {"dataset": "texts"}},
                                 "options": {"memoryLimit": %d, "batchRows": 1024}}
                                """
                                        .formatted(memoryLimit));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return new JsonMapper().readTree(answer.text()).required("id").stringValue();
    }

    private static BodyReader reader(String job, long rows) {
        return bodies.reader(job, bodies.form(job, null, BodyFormat.JSON, Bodies.rows(rows)));
    }

    private static double decoded() {
        return server.bean("prometheusMeterRegistry", MeterRegistry.class)
                .get("spillway.scan.decoded")
                .counter()
                .count();
    }

    @Test
    void nothingIsReadAhead() throws Exception {
        String job = job(LITTLE);
        double before = decoded();
        try (BodyReader reader = reader(job, 96)) {
            assertThat(Bodies.sent(reader.next(0))).isNotNull();
            double first = decoded() - before;
            TimeUnit.MILLISECONDS.sleep(300);
            double later = decoded() - before;
            assertThat(later).isBetween(1.0, 0.2 * ROWS * TEXT);
            // What is decoded already serves the bodies that follow.
            for (int k = 1; k < 5; k++) {
                assertThat(Bodies.sent(reader.next(96L * k))).isNotNull();
            }
            assertThat(decoded() - before).isBetween(first, later + 0.1 * ROWS * TEXT);
        }
    }

    @Test
    void bodiesWaitForMemory() throws Exception {
        String job = job(LITTLE);
        int size = 4_000;
        int most = ROWS / size;
        List<Body> held = new ArrayList<>();
        try (BodyReader reader = reader(job, size)) {
            List<CompletableFuture<BodyRead>> asked = new ArrayList<>();
            for (int k = 0; k < most; k++) {
                asked.add(reader.next((long) size * k));
            }
            long next = 0;
            for (CompletableFuture<BodyRead> future : asked) {
                while (!future.isDone()) {
                    try {
                        future.get(300, TimeUnit.MILLISECONDS);
                    } catch (java.util.concurrent.TimeoutException e) {
                        // All memory is in bodies that nobody closes: one has to go.
                        assertThat(held).isNotEmpty();
                        held.removeFirst().close();
                    }
                }
                Body body = (Body) future.get();
                assertThat(body.cut().firstRow()).isEqualTo(next);
                next = body.cut().end();
                held.add(body);
            }
            assertThat(next).isEqualTo(ROWS);
            assertThat(held).hasSizeLessThan(most / 2);
        } finally {
            held.forEach(Body::close);
        }
    }

    @Test
    void aBodyThatNeverFitsIsABadOne() throws Exception {
        String job = job(LITTLE);
        try (BodyReader reader = reader(job, 100_000)) {
            BodyRead read = reader.next(0).get(60, TimeUnit.SECONDS);
            assertThat(read)
                    .isInstanceOfSatisfying(
                            BadBody.class,
                            bad -> {
                                assertThat(bad.reason().code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
                                assertThat(bad.cut().rows()).isEqualTo(100_000);
                            });
            assertThat(Bodies.sent(reader.read(100_000, 7))).isNotNull();
        }
    }

    @Test
    void whatIsCanceledLeavesNothing() throws Exception {
        String job = job(256_000_000);
        for (int round = 0; round < 20; round++) {
            BodyReader reader = reader(job, 2_000);
            try (reader) {
                List<CompletableFuture<BodyRead>> asked = new ArrayList<>();
                for (int k = 0; k < 12; k++) {
                    asked.add(
                            k % 4 == 3 ? reader.read(1_000L * k + 7, 50) : reader.next(2_000L * k));
                }
                TimeUnit.MILLISECONDS.sleep(round);
                asked.get(round % 12).cancel(false);
                if (round % 3 == 0) {
                    asked.forEach(future -> future.cancel(false));
                }
                if (round % 3 == 1) {
                    for (int k = 0; k < asked.size(); k++) {
                        if (k != round % 12) {
                            assertThat(Bodies.sent(asked.get(k)))
                                    .extracting(Bodies.Sent::firstRow)
                                    .isEqualTo(k % 4 == 3 ? 1_000L * k + 7 : 2_000L * k);
                        }
                    }
                }
                for (CompletableFuture<BodyRead> future : asked) {
                    var _ = future.thenAccept(read -> ((Body) read).close());
                }
            }
            assertThatThrownBy(() -> reader.next(0).get()).isInstanceOf(ExecutionException.class);
        }
    }

    @Test
    void whatIsNotReadOnIsGivenBack() throws Exception {
        String job = job(LITTLE);
        MemoryPool memory = server.bean("memory", MemoryPool.class);
        try (BodyReader reader = reader(job, 96)) {
            Bodies.Sent first = Bodies.sent(reader.next(0));
            assertThat(memory.seated()).isPositive();
            reader.release();
            bodies.assertNothingHeld();
            assertThat(Bodies.sent(reader.next(0))).isEqualTo(first);
            // Nobody says so this time.
            bodies.assertNothingHeld();
            assertThat(Bodies.sent(reader.next(0))).isEqualTo(first);
        }
    }

    @Test
    void aJobThatEndsEndsItsBodies() throws Exception {
        String job = job(LITTLE);
        try (BodyReader reader = reader(job, 96)) {
            assertThat(Bodies.sent(reader.next(0))).isNotNull();
            server.bean("jobService", JobService.class).cancel("anonymous", job);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () ->
                                    assertThatThrownBy(() -> Bodies.sent(reader.next(96)))
                                            .cause()
                                            .isInstanceOfSatisfying(
                                                    SpillwayException.class,
                                                    e ->
                                                            assertThat(e.code())
                                                                    .isEqualTo(
                                                                            ErrorCode
                                                                                    .JOB_CANCELED)));
        }
    }
}
