package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobStore;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Counting a job's rows: once, however many ask, and for good. */
class CountTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String LATE =
            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"filter\", \"where\":"
                    + " \"delay > 300\"}]}";

    @TempDir Path home;

    private SpillwayServer start() {
        return SpillwayServer.builder()
                .home(home)
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                .start();
    }

    private static HttpAnswer count(SpillwayServer server, String job, String query) {
        return server.http().post("/v1/jobs/" + job + ":count" + query, JSON, "");
    }

    private static JsonNode document(SpillwayServer server, String job) {
        return MAPPER.readTree(server.http().get("/v1/jobs/" + job, JSON).text());
    }

    @Test
    void aCountIsMadeOnceAndOutlivesTheProcess() throws Exception {
        String job;
        long rows;
        String page;
        try (SpillwayServer server = start()) {
            job = server.submit(LATE);
            assertThat(document(server, job).get("rowCountKnown").booleanValue()).isFalse();
            List<Long> counts = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<HttpAnswer>> answers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    answers.add(threads.submit(() -> count(server, job, "")));
                }
                for (Future<HttpAnswer> answer : answers) {
                    HttpAnswer got = answer.get(60, TimeUnit.SECONDS);
                    assertThat(got.status()).as(got.text()).isEqualTo(200);
                    counts.add(MAPPER.readTree(got.text()).get("rowCount").longValue());
                }
            }
            assertThat(counts).hasSize(8);
            rows = counts.getFirst();
            assertThat(counts).containsOnly(rows);
            assertThat(server.lines(job, "format=ndjson")).hasSize((int) rows);
            JsonNode document = document(server, job);
            assertThat(document.get("rowCount").longValue()).isEqualTo(rows);
            assertThat(document.at("/progress/partitionsCounted"))
                    .isEqualTo(document.at("/progress/partitions"));
            page = server.page(job, "offset=" + (rows - 10));
            JobStore store = server.bean("jobStore", JobStore.class);
            await().atMost(SOON).untilAsserted(() -> assertThat(store.counts(job)).isPresent());
        }
        try (SpillwayServer again = start()) {
            JsonNode document = document(again, job);
            assertThat(document.get("rowCount").longValue()).isEqualTo(rows);
            assertThat(again.page(job, "offset=" + (rows - 10))).isEqualTo(page);
            HttpAnswer known = count(again, job, "?wait=0s");
            assertThat(known.status()).isEqualTo(200);
            long read = document(again, job).at("/progress/bytesRead").longValue();
            assertThat(MAPPER.readTree(known.text()).get("rowCount").longValue()).isEqualTo(rows);
            assertThat(document(again, job).at("/progress/bytesRead").longValue()).isEqualTo(read);
        }
    }

    @Test
    void aCountThatCanGetNoMemoryWaitsAndGoesOnBehindTheAnswer() {
        try (SpillwayServer server = start()) {
            String job = server.submit(LATE);
            MemoryPool memory = server.bean("memory", MemoryPool.class);
            try (MemoryReservation others = memory.admit(memory.limit() / 2).join()) {
                assertThat(others.bytes()).isPositive();
                HttpAnswer waiting = count(server, job, "?wait=200ms");
                assertThat(waiting.status()).as(waiting.text()).isEqualTo(202);
                assertThat(waiting.header("Retry-After")).isPresent();
                JsonNode document = MAPPER.readTree(waiting.text());
                assertThat(document.get("state").stringValue()).isEqualTo("RUNNING");
                assertThat(document.at("/progress/counting").booleanValue()).isTrue();
            }
            await().atMost(SOON)
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    document(server, job)
                                                            .get("rowCountKnown")
                                                            .booleanValue())
                                            .isTrue());
            await().atMost(SOON)
                    .untilAsserted(
                            () ->
                                    assertThat(document(server, job).get("state").stringValue())
                                            .isEqualTo("READY"));
        }
    }

    @Test
    void whatIsKnownWithoutCountingIsAnsweredAtOnce() {
        try (SpillwayServer server = start()) {
            String job = server.submit("{\"from\": {\"dataset\": \"flights\"}}");
            assertThat(count(server, job, "?wait=0s").text()).isEqualTo("{\"rowCount\":3000000}");
            assertThat(document(server, job).at("/progress/bytesRead").longValue()).isZero();
            assertThat(count(server, job, "?wait=2m").status()).isEqualTo(400);
            assertThat(count(server, job, "?wait=soon").status()).isEqualTo(400);
            assertThat(count(server, "none", "").status()).isEqualTo(404);
            server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            assertThat(count(server, job, "").status()).isEqualTo(410);
        }
    }
}
