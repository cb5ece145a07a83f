package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.LogLines;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RawCall;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that leave without a word, by the hundred: they are no errors of the service. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class LeavingTest {

    private static final int AT_ONCE = 16;

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static String job;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .dataset(
                                "rows",
                                ParquetFiles.write(
                                        folder.resolve("rows.parquet"),
                                        "SELECT range AS id, 'some text ' || range AS text FROM"
                                                + " range(300000)"))
                        .start();
        job = server.submit("{\"from\": {\"dataset\": \"rows\"}}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Some before they have an answer, some within its first bytes, some far into it. */
    @Test
    void hundredsOfResetsAtOnceAreNotLogged() throws Exception {
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            for (RowForm form : RowForm.values()) {
                int read = new int[] {0, 0, 1, 20_000, 200_000}[i % 5];
                String path = "/v1/jobs/" + job + "/rows?limit=10000&offset=" + i * 2_000;
                calls.add(() -> leave(path, form.mediaType(), read));
            }
            calls.add(() -> leave("/v1/jobs/" + job + "/events", "text/event-stream", 0));
        }
        try (LogLines log = LogLines.listen();
                ExecutorService clients = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<Integer> call : clients.invokeAll(calls)) {
                call.get();
            }
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () -> {
                                assertThat(server.bean("jobManager", JobManager.class).readers())
                                        .isZero();
                                assertThat(server.bean("memory", MemoryPool.class).held()).isZero();
                            });
            assertThat(log.warnings()).isEmpty();
        }
    }

    private static int leave(String path, String accept, int bytes) {
        RawCall call = new RawCall(server.port(), path, accept, 1 << 14);
        int read = bytes == 0 ? 0 : call.read(bytes);
        call.reset();
        return read;
    }
}
