package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** First rows that take their time: nobody waits without hearing of it, and asking again helps. */
class WaitTest {

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;

    @BeforeAll
    static void start() {
        Path file =
                ParquetFiles.write(
                        folder.resolve("many.parquet"),
                        "SELECT range AS id FROM range(20000000)",
                        "CODEC 'zstd', ROW_GROUP_SIZE 200000");
        server =
                SpillwayServer.builder()
                        .dataset("many", file)
                        .set("spillway.scheduler.threads", "1")
                        .start();
    }

    @AfterAll
    static void stop() {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(
                        () -> {
                            assertThat(server.bean("jobManager", JobManager.class).readers())
                                    .isZero();
                            assertThat(server.bean("memory", MemoryPool.class).held()).isZero();
                        });
        server.close();
    }

    /** Its only rows are the last ones, which only reading all of them shows. */
    private static String slow() {
        return "{\"from\": {\"dataset\": \"many\"}, \"steps\": [{\"op\": \"filter\", \"where\":"
                + " \"CAST(id AS VARCHAR) LIKE '1999999%' AND id % 20000000 > 19999000\"}]}";
    }

    @ParameterizedTest
    @ValueSource(strings = {JSON, NDJSON, "text/csv", "application/vnd.apache.arrow.stream"})
    void whoWaitedLongEnoughIsToldHowFarTheJobIs(String accept) {
        String job = server.submit(slow());
        String rows = "/v1/jobs/" + job + "/rows?wait=0s&limit=5";
        HttpAnswer answer = server.http().get(rows, accept);
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        assertThat(answer.mediaType()).isEqualTo(JSON);
        assertThat(answer.header("Retry-After")).contains("1");
        assertThat(answer.header("Trailer")).isEmpty();
        JsonNode document = MAPPER.readTree(answer.text());
        assertThat(document.get("id").stringValue()).isEqualTo(job);
        assertThat(document.get("progress").get("rowsCounted").longValue()).isNotNegative();
        if (accept.equals(JSON)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> server.http().get(rows, accept).status() == 200);
            assertThat(server.http().get(rows, accept).text()).contains("{\"id\":19999990}");
        }
    }

    @Test
    void aNewJobIsNamedEvenIfItsRowsAreNotReady() {
        HttpAnswer answer =
                server.http().post("/v1/rows?wait=0s", NDJSON, "{\"plan\":" + slow() + "}");
        assertThat(answer.status()).isEqualTo(202);
        String job = MAPPER.readTree(answer.text()).get("id").stringValue();
        assertThat(answer.header("Content-Location")).contains("/v1/jobs/" + job + "/rows");
    }

    @Test
    void rowsThatAreReadyComeHoweverShortTheWait() {
        String job = server.submit("{\"from\": {\"dataset\": \"many\"}}");
        assertThat(server.lines(job, "limit=3&wait=0ms")).hasSize(3);
    }

    @Test
    void eventsTellTheProgressMeanwhile() throws IOException {
        String job = server.submit(slow());
        try (EventStream stream =
                EventStream.open(server.port(), "/v1/jobs/" + job + "/rows?batch=4", null)) {
            List<Event> events = stream.rest();
            assertThat(events.get(1).type()).isEqualTo("progress");
            assertThat(events.get(1).id()).isNull();
            assertThat(MAPPER.readTree(events.get(1).data()).get("bytesRead").longValue())
                    .isPositive();
            assertThat(events.stream().filter(e -> e.type().equals("rows"))).hasSize(3);
            assertThat(events.getLast().type()).isEqualTo("end");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait=-1s", "wait=soon", "wait=10m", "wait="})
    void timesThatAreNoneOrTooLongAreRefused(String query) {
        String job = server.submit("{\"from\": {\"dataset\": \"many\"}}");
        HttpAnswer answer = server.http().get("/v1/jobs/" + job + "/rows?" + query, JSON);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("\"parameter\":\"wait\"");
    }
}
