package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.spill.SpillManager;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plans that must be computed before they can be read: once, kept, and given up with their job. */
class SpooledRowsTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String LATE_FIRST =
            """
            {"from": {"dataset": "flights"},
             "steps": [{"op": "filter", "where": "distance > 1600"},
                       {"op": "sort", "by": ["delay DESC NULLS LAST", "origin"]}]}
            """;

    @TempDir Path home;

    private SpillwayServer.Builder service() {
        return SpillwayServer.builder()
                .home(home)
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath());
    }

    private static HttpAnswer count(SpillwayServer server, String job, String query) {
        return server.http().post("/v1/jobs/" + job + ":count" + query, JSON, "");
    }

    private static long counted(SpillwayServer server, String job) {
        HttpAnswer answer = count(server, job, "?wait=60s");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text()).required("rowCount").longValue();
    }

    private static JsonNode document(SpillwayServer server, String job) {
        return MAPPER.readTree(server.http().get("/v1/jobs/" + job, JSON).text());
    }

    /** Files below a folder of the home, hidden ones and locks left out. */
    private List<Path> files(String folder) {
        Path root = home.resolve(folder);
        if (!Files.exists(root)) {
            return List.of();
        }
        try (Stream<Path> tree = Files.walk(root)) {
            return tree.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().endsWith("lock"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aResultIsComputedOnceAndKeptOverARestart() throws Exception {
        String job;
        long rows;
        String deep;
        String first;
        try (SpillwayServer server = service().start()) {
            job = server.submit(LATE_FIRST);
            assertThat(document(server, job).get("rowCountKnown").booleanValue()).isFalse();
            assertThat(files("spool")).isEmpty();
            List<String> pages = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<String>> answers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    answers.add(threads.submit(() -> server.page(job, "limit=3&wait=60s")));
                }
                for (Future<String> answer : answers) {
                    pages.add(answer.get(60, TimeUnit.SECONDS));
                }
            }
            first = pages.getFirst();
            assertThat(pages).hasSize(4).containsOnly(first);
            rows = counted(server, job);
            assertThat(files("spool")).hasSize(1);
            assertThat(files("spill")).isEmpty();
            List<String> all = server.lines(job, "");
            assertThat(all).hasSize((int) rows);
            deep = server.page(job, "limit=50&offset=" + (rows - 40));
            assertThat(MAPPER.readTree(deep).get("rows")).hasSize(40);
            assertThat(MAPPER.readTree(deep).get("next").isNull()).isTrue();
            assertThat(server.page(job, "limit=3")).isEqualTo(first);
            JsonNode document = document(server, job);
            assertThat(document.get("rowCount").longValue()).isEqualTo(rows);
            assertThat(document.at("/progress/partitionsCounted"))
                    .isEqualTo(document.at("/progress/partitions"));
            await().atMost(SOON)
                    .until(() -> document(server, job).get("state").stringValue(), "READY"::equals);
        }
        List<Path> kept = files("spool");
        assertThat(kept).hasSize(1);
        try (SpillwayServer again = service().start()) {
            assertThat(document(again, job).get("rowCount").longValue()).isEqualTo(rows);
            assertThat(again.page(job, "limit=50&offset=" + (rows - 40))).isEqualTo(deep);
            assertThat(again.page(job, "limit=3")).isEqualTo(first);
            assertThat(files("spool")).isEqualTo(kept);
            again.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            await().atMost(SOON).until(() -> files("spool").isEmpty());
            assertThat(home.resolve("spool")).isEmptyDirectory();
        }
    }

    @Test
    void aResultThatIsLostOrDamagedIsComputedAgainAndReadersGoOn() throws IOException {
        try (SpillwayServer server = service().start()) {
            String job = server.submit(LATE_FIRST);
            long rows = counted(server, job);
            String page = server.page(job, "limit=100&offset=" + rows / 2);
            List<String> all = server.lines(job, "");

            Path file = files("spool").getFirst();
            Files.delete(file);
            assertThat(server.page(job, "limit=100&offset=" + rows / 2)).isEqualTo(page);
            Path again = files("spool").getFirst();
            assertThat(again).isNotEqualTo(file);

            byte[] bytes = Files.readAllBytes(again);
            bytes[bytes.length / 2] ^= 1;
            Files.write(again, bytes);
            assertThat(server.lines(job, "")).isEqualTo(all);
            assertThat(files("spool")).hasSize(1).doesNotContain(file, again);
        }
    }

    @Test
    void aJobThatFindsNoRoomOnTheDiskGetsA507AndTheNextOneRuns() {
        try (SpillwayServer server = service().set("spillway.spool.quota", "1MB").start()) {
            String job = server.submit(LATE_FIRST);
            HttpAnswer answer = server.http().get("/v1/jobs/" + job + "/rows?wait=60s", JSON);
            assertThat(answer.status()).as(answer.text()).isEqualTo(507);
            assertThat(answer.text()).contains("disk-full").doesNotContain(home.toString());
            await().atMost(SOON).until(() -> files("spool").isEmpty() && files("spill").isEmpty());
            assertThat(document(server, job).get("state").stringValue()).isEqualTo("READY");

            String small =
                    LATE_FIRST.replace("distance > 1600", "distance > 1600 AND delay > 1000");
            assertThat(server.lines(server.submit(small), "wait=60s")).hasSizeBetween(1, 1000);
        }
    }

    @Test
    void aSortThatFindsNoRoomToSpillGetsA507() {
        try (SpillwayServer server =
                service()
                        .set("spillway.memory.per-job", "24MB")
                        .set("spillway.spill.quota", "1MB")
                        .start()) {
            String job = server.submit(LATE_FIRST);
            HttpAnswer answer = server.http().get("/v1/jobs/" + job + "/rows?wait=60s", JSON);
            assertThat(answer.status()).as(answer.text()).isEqualTo(507);
            await().atMost(SOON).until(() -> files("spool").isEmpty() && files("spill").isEmpty());
            MemoryPool memory = server.bean("memory", MemoryPool.class);
            await().atMost(SOON).until(() -> memory.held() == 0 && memory.admitted() == 0);
        }
    }

    @Test
    void whatIsReadDependsNeitherOnMemoryNorOnWhoElseHoldsIt() {
        List<String> expected;
        try (SpillwayServer server = service().start()) {
            String job = server.submit(LATE_FIRST);
            expected = server.lines(job, "wait=60s");
            server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            await().atMost(SOON).until(() -> files("spool").isEmpty());
        }
        try (SpillwayServer server =
                service()
                        .set("spillway.memory.budget", "128MB")
                        .set("spillway.memory.per-job", "24MB")
                        .start()) {
            MemoryPool memory = server.bean("memory", MemoryPool.class);
            SpillManager spill = server.bean("spillManager", SpillManager.class);
            try (MemoryReservation hog = memory.admit(memory.limit() * 3 / 8).join()) {
                assertThat(hog.bytes()).isPositive();
                String job = server.submit(LATE_FIRST);
                assertThat(server.lines(job, "wait=60s")).isEqualTo(expected);
                assertThat(spill.written()).as("it had to spill").isPositive();
                assertThat(spill.files()).isZero();
                server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            }
            await().atMost(SOON).until(() -> files("spool").isEmpty());
            await().atMost(SOON).until(() -> memory.held() == 0 && memory.admitted() == 0);
        }
    }

    @Test
    void whoeverWaitsTooLongIsToldAndFindsItFurtherOn() {
        try (SpillwayServer server = service().start()) {
            String job = server.submit(LATE_FIRST);
            MemoryPool memory = server.bean("memory", MemoryPool.class);
            try (MemoryReservation others = memory.admit(memory.limit() / 2).join()) {
                assertThat(others.bytes()).isPositive();
                HttpAnswer answer = server.http().get("/v1/jobs/" + job + "/rows?wait=200ms", JSON);
                assertThat(answer.status()).as(answer.text()).isEqualTo(202);
                assertThat(answer.header("Retry-After")).isPresent();
                JsonNode document = MAPPER.readTree(answer.text());
                assertThat(document.get("state").stringValue()).isEqualTo("RUNNING");
                assertThat(document.at("/progress/partitions").intValue()).isPositive();
                assertThat(document.at("/progress/counting").booleanValue()).isTrue();
            }
            await().atMost(SOON)
                    .until(() -> document(server, job).get("rowCountKnown").booleanValue());
            assertThat(count(server, job, "?wait=0s").status()).isEqualTo(200);
        }
    }

    @Test
    void aJobThatIsCanceledWhileItIsComputedLeavesNothing() {
        try (SpillwayServer server = service().set("spillway.memory.per-job", "24MB").start()) {
            String job = server.submit(LATE_FIRST);
            MemoryPool memory = server.bean("memory", MemoryPool.class);
            assertThat(count(server, job, "?wait=0s").status()).isEqualTo(202);
            await().atMost(SOON)
                    .until(() -> document(server, job).at("/progress/spilled").longValue() > 0);
            server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            assertThat(count(server, job, "").status()).isEqualTo(410);
            await().atMost(SOON).until(() -> files("spill").isEmpty() && files("spool").isEmpty());
            await().atMost(SOON).until(() -> memory.held() == 0 && memory.admitted() == 0);
        }
    }

    @Test
    void aJobThatExpiresTakesItsResultAlong() {
        try (SpillwayServer server = service().start()) {
            HttpAnswer made =
                    server.http()
                            .post(
                                    "/v1/jobs",
                                    JSON,
                                    "{\"plan\": "
                                            + LATE_FIRST
                                            + ", \"options\": {\"ttl\": \"2s\"}}");
            String job = MAPPER.readTree(made.text()).required("id").stringValue();
            counted(server, job);
            assertThat(files("spool")).hasSize(1);
            await().atMost(SOON).until(() -> files("spool").isEmpty());
            assertThat(count(server, job, "").status()).isEqualTo(410);
        }
    }
}
