package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.PostgresServer;
import io.spillway.testing.SpillwayProcess;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Services that are killed while they write, and those beside and after them. */
@SuppressWarnings("NullAway.Init") // the data are there before all tests
@Timeout(600)
class KilledServiceTest {

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final Duration OFTEN = Duration.ofMillis(5);

    /** Large enough that a result takes a while to be written. */
    private static final int ROWS = 1_000_000;

    @TempDir static Path data;
    @TempDir Path folder;

    private static String plan;

    @BeforeAll
    static void makeData() {
        Path file =
                ParquetFiles.write(
                        data.resolve("rows.parquet"),
                        "SELECT range AS id, range * 2654435761 % 1000003 AS k, md5(range::VARCHAR)"
                                + " AS text FROM range("
                                + ROWS
                                + ")",
                        "ROW_GROUP_SIZE 20480");
        plan =
                """
                {"from": {"files": {"format": "parquet", "paths": ["%s"]}},
                 "steps": [{"op": "sort", "by": ["k", "text DESC"]}]}
                """
                        .formatted(file);
    }

    private static List<String> settings(String... more) {
        List<String> settings = new ArrayList<>(List.of(more));
        settings.add("--spillway.sources.roots[0]=" + data);
        settings.add("--spillway.memory.budget=192MB");
        settings.add("--spillway.memory.per-job=24MB");
        return settings;
    }

    private SpillwayProcess start(String home, String... more) {
        return SpillwayProcess.start(folder.resolve(home), settings(more));
    }

    private static String submit(SpillwayProcess service) {
        HttpAnswer answer = service.http().post("/v1/jobs", JSON, "{\"plan\": " + plan + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return MAPPER.readTree(answer.text()).required("id").stringValue();
    }

    private static HttpAnswer count(SpillwayProcess service, String job, String wait) {
        return service.http().post("/v1/jobs/" + job + ":count?wait=" + wait, JSON, "");
    }

    private static void awaitCount(SpillwayProcess service, String job) {
        HttpAnswer answer;
        do {
            answer = count(service, job, "50s");
        } while (answer.status() == 202);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(MAPPER.readTree(answer.text()).required("rowCount").longValue()).isEqualTo(ROWS);
    }

    private static String page(SpillwayProcess service, String job, long offset) {
        HttpAnswer answer =
                service.http().get("/v1/jobs/" + job + "/rows?limit=100&offset=" + offset, NDJSON);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text();
    }

    private static List<Path> files(Path root, String end) {
        if (!Files.exists(root)) {
            return List.of();
        }
        try (Stream<Path> tree = Files.walk(root)) {
            return tree.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().endsWith(end))
                    .filter(file -> !file.getFileName().toString().endsWith("lock"))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            return List.of(); // a folder was deleted meanwhile
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long bytes(Path root, String end) {
        long sum = 0;
        for (Path file : files(root, end)) {
            sum += file.toFile().length(); // 0 if it was deleted meanwhile
        }
        return sum;
    }

    private static void awaitBytes(Path root, String end, long least) {
        await().atMost(LONG).pollInterval(OFTEN).until(() -> bytes(root, end) >= least);
    }

    /** The contents of all files of spools, whatever they are called. */
    private static List<byte[]> contents(Path spool) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (Path file : files(spool, "")) {
            contents.add(Files.readAllBytes(file));
        }
        return contents;
    }

    /** What a service that nobody kills writes. */
    private List<byte[]> undisturbed() throws IOException {
        Path home = folder.resolve("undisturbed");
        try (SpillwayServer server =
                SpillwayServer.builder()
                        .home(home)
                        .root(data)
                        .set("spillway.memory.budget", "512MB")
                        .start()) {
            String job = server.submit(plan);
            assertThat(server.page(job, "limit=1&wait=60s")).contains("\"offset\":0");
            return contents(home.resolve("spool"));
        }
    }

    private static void assertSame(List<byte[]> found, List<byte[]> expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(Arrays.equals(found.get(i), expected.get(i)))
                    .as("file %s of the spool has the same bytes", i)
                    .isTrue();
        }
    }

    @Test
    void whatAKilledServiceWroteGoesAndItsResultIsComputedAgainToTheSameBytes() throws IOException {
        Path home = folder.resolve("home");
        String job;
        try (SpillwayProcess service = start("home")) {
            job = submit(service);
            assertThat(count(service, job, "0s").status()).isEqualTo(202);
            awaitBytes(home.resolve("spill"), ".spill", 4 << 20);
            service.kill();
        }
        assertThat(files(home.resolve("spill"), ".spill")).isNotEmpty();
        try (SpillwayProcess service = start("home")) {
            assertThat(files(home.resolve("spill"), ".spill")).isEmpty();
            HttpAnswer found = service.http().get("/v1/jobs/" + job, JSON);
            assertThat(found.status()).isEqualTo(200);
            assertThat(count(service, job, "0s").status()).isEqualTo(202);
            awaitBytes(home.resolve("spool"), "", 2 << 20);
            service.kill();
        }
        assertThat(bytes(home.resolve("spool"), "")).isPositive();
        try (SpillwayProcess service = start("home")) {
            assertThat(files(home.resolve("spill"), ".spill")).isEmpty();
            awaitCount(service, job);
            JsonNode first =
                    MAPPER.readTree(page(service, job, 0).lines().findFirst().orElseThrow());
            assertThat(first.get("k").longValue()).isZero();
            assertThat(page(service, job, ROWS - 1).lines()).hasSize(1);
            assertThat(files(home.resolve("spill"), ".spill")).isEmpty();
            assertSame(contents(home.resolve("spool")), undisturbed());
        }
    }

    @Test
    @Tag("long")
    void filesOfALivingServiceStayWhereAnotherIsKilledAndStartsAgain() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        String dir = "--spillway.spill.dir=" + shared;
        try (SpillwayProcess living = start("living", dir)) {
            String livingJob = submit(living);
            assertThat(count(living, livingJob, "0s").status()).isEqualTo(202);
            awaitBytes(shared, ".spill", 4 << 20);
            List<Path> mine = files(shared, ".spill");
            Path folderOfLiving = mine.getFirst().getParent();
            try (SpillwayProcess killed = start("killed", dir)) {
                String job = submit(killed);
                assertThat(count(killed, job, "0s").status()).isEqualTo(202);
                await().atMost(LONG)
                        .pollInterval(OFTEN)
                        .until(
                                () ->
                                        files(shared, ".spill").stream()
                                                .anyMatch(f -> !f.startsWith(folderOfLiving)));
                killed.kill();
            }
            try (SpillwayProcess again = start("killed", dir)) {
                assertThat(files(shared, ".spill"))
                        .allMatch(file -> file.startsWith(folderOfLiving));
                assertThat(folderOfLiving).exists();
                awaitCount(living, livingJob);
                assertThat(page(living, livingJob, ROWS - 2).lines()).hasSize(2);
                assertThat(again.isAlive()).isTrue();
            }
        }
    }

    /** Replicas share jobs and spools; neither shares its spill files. */
    @Test
    @Tag("long")
    void oneServiceReadsWhatAnotherComputesAndTakesOverWhenThatIsKilled() throws IOException {
        Path spool = Files.createDirectory(folder.resolve("spool"));
        try (PostgresServer postgres = PostgresServer.start()) {
            String[] both = {
                "--spillway.spool.uri=" + spool.toUri(), "--spillway.store.url=" + postgres.url()
            };
            try (SpillwayProcess one = start("one", both);
                    SpillwayProcess two = start("two", both)) {
                String shared = submit(one);
                awaitCount(one, shared);
                List<byte[]> whole = contents(spool);
                for (long offset : new long[] {0, ROWS / 2, ROWS - 100}) {
                    assertThat(page(two, shared, offset)).isEqualTo(page(one, shared, offset));
                }
                assertThat(bytes(folder.resolve("two/spill"), ".spill")).isZero();
                assertSame(contents(spool), whole);
                one.http().call("DELETE", "/v1/jobs/" + shared, Map.of(), null);
                await().atMost(LONG).until(() -> files(spool, "").isEmpty());

                String taken = submit(one);
                assertThat(count(one, taken, "0s").status()).isEqualTo(202);
                awaitBytes(spool, "", 2 << 20);
                assertThat(count(two, taken, "0s").status()).isEqualTo(202);
                one.kill();
                awaitCount(two, taken);
                assertThat(page(two, taken, ROWS - 1).lines()).hasSize(1);
                assertSame(contents(spool), whole);
            }
        }
    }
}
