package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.testing.Deliveries;
import io.spillway.testing.DeliveryHistory;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.Receiver;
import io.spillway.testing.SpillwayProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Services that are killed while they deliver: nothing is lost, and little is repeated. */
class KilledDeliveryTest {

    private static final int CONCURRENCY = 4;
    private static final int BATCH = 16;
    private static final int ROWS_A_KILL = 8_000;
    private static final Duration LONGEST_START = Duration.ofSeconds(15);

    @TempDir Path folder;

    @Test
    @Timeout(600)
    void tenKillsLoseNothing() throws IOException, InterruptedException {
        kill(Integer.getInteger("spillway.delivery.kills", 10));
    }

    @Test
    @Tag("long")
    @Timeout(7_200)
    void twoHundredKillsLoseNothing() throws IOException, InterruptedException {
        kill(200);
    }

    private void kill(int kills) throws IOException, InterruptedException {
        long seed = new Random().nextLong();
        System.out.println("seed of " + kills + " kills: " + seed);
        Random random = new Random(seed);
        int rows = kills * ROWS_A_KILL;
        Path file =
                ParquetFiles.write(
                        folder.resolve("rows.parquet"),
                        "SELECT range AS id FROM range(0, %d)".formatted(rows * 2L));
        try (Receiver receiver = Receiver.start()) {
            DeliveryHistory history = new DeliveryHistory(seed);
            receiver.by(history);
            String delivery = null;
            for (int i = 0; i < kills; i++) {
                int before = receiver.requests().size();
                try (SpillwayProcess service = start()) {
                    delivery = delivery == null ? begin(service, file, receiver) : delivery;
                    Deliveries deliveries = new Deliveries(service.http());
                    String id = delivery;
                    await().atMost(LONGEST_START)
                            .pollInterval(Duration.ofMillis(50))
                            .untilAsserted(
                                    () ->
                                            assertThat(receiver.requests().size())
                                                    .as(() -> deliveries.document(id).toString())
                                                    .isGreaterThan(before));
                    Thread.sleep(random.nextInt(50, 1_000));
                    service.kill();
                }
            }
            history.hurry();
            try (SpillwayProcess service = start()) {
                new Deliveries(service.http())
                        .awaitState(Objects.requireNonNull(delivery), "COMPLETED");
            }
            history.check(receiver.requests(), "id", evenNumbers(rows));
            assertThat(history.repeatedThoughAcknowledged(receiver.requests()))
                    .as("at most what was under way, or answered and not recorded, at each kill")
                    .isLessThanOrEqualTo(2 * CONCURRENCY * kills);
        }
    }

    private static List<Long> evenNumbers(int count) {
        return LongStream.range(0, count).map(i -> i * 2).boxed().toList();
    }

    private SpillwayProcess start() {
        return SpillwayProcess.start(
                folder.resolve("home"),
                List.of(
                        "--spillway.sources.roots[0]=" + folder,
                        "--spillway.memory.budget=192MB",
                        "--spillway.delivery.allow-http=true",
                        "--spillway.delivery.allowed-targets[0]=127.0.0.1",
                        "--spillway.delivery.lease=1s"));
    }

    private static String begin(SpillwayProcess service, Path file, Receiver receiver) {
        String plan =
                """
                {"from": {"files": {"format": "parquet", "paths": ["%s"]}},
                 "steps": [{"op": "filter", "where": "id %% 2 = 0"}]}
                """
                        .formatted(file);
        HttpAnswer job =
                service.http().post("/v1/jobs", "application/json", "{\"plan\": " + plan + "}");
        assertThat(job.status()).as(job.text()).isEqualTo(201);
        String id = new JsonMapper().readTree(job.text()).required("id").stringValue();
        return new Deliveries(service.http())
                .begin(
                        id,
                        receiver.uri("/"),
                        BATCH,
                        Map.of(
                                "concurrency",
                                CONCURRENCY,
                                "order",
                                "any",
                                "splitOnTooLarge",
                                true,
                                "retry",
                                Map.of("initialDelay", "100ms", "maxAttempts", 100)));
    }
}
