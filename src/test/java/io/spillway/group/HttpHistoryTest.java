package io.spillway.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.group.LeaseHistory.Seen;
import io.spillway.testing.Groups;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import tools.jackson.databind.JsonNode;

/** Workers that read, die and pause at random, against a real service. */
class HttpHistoryTest {

    @Test
    void workersThatDieAndPauseCommitEachRowOnce(TestReporter reporter) throws Exception {
        work(new WorkerPool.Plan(8, 60, 10, Duration.ofMillis(500)), reporter);
    }

    @Test
    @Tag("long")
    void manyWorkersThatDieAndPauseCommitEachRowOnce(TestReporter reporter) throws Exception {
        // How many there are in the end is a matter of chance; 600 or so are 500 and more.
        int faults = work(new WorkerPool.Plan(64, 10_000, 600, Duration.ofSeconds(3)), reporter);
        assertThat(faults).isGreaterThanOrEqualTo(500);
    }

    /** How often a worker died or paused. */
    private static int work(WorkerPool.Plan plan, TestReporter reporter) throws Exception {
        long seed = Long.getLong("spillway.seed", new SecureRandom().nextLong());
        reporter.publishEntry("seed", Long.toString(seed));
        int total = plan.batches() * 10 - 3;
        try (SpillwayServer server =
                SpillwayServer.builder()
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .start()) {
            String job =
                    server.submit(
                            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\","
                                    + " \"rows\": "
                                    + total
                                    + "}]}");
            Groups group =
                    new Groups(server.http(), job, "workers")
                            .made(
                                    "{\"batch\": {\"rows\": 10}, \"leaseTime\": \""
                                            + plan.life()
                                            + "\"}");
            HttpBroker broker = new HttpBroker(List.of(server.http()), job, "workers");
            Map<Long, List<String>> read = new ConcurrentSkipListMap<>();
            WorkerPool pool =
                    new WorkerPool(
                            broker, plan, held -> read.put(held.firstRow(), broker.rows(held)));
            LeaseHistory history = pool.run(seed);

            assertThat(history.faults(total)).as("seed %d", seed).isEmpty();
            assertThat(read.values().stream().flatMap(List::stream).toList())
                    .isEqualTo(server.lines(job, ""));
            JsonNode progress = group.document().required("progress");
            assertThat(progress.required("committedRow").intValue()).isEqualTo(total);
            assertThat(progress.required("committedBatches").intValue()).isEqualTo(plan.batches());
            reporter.publishEntry(
                    "faults", pool.faults() + ", commits refused " + history.count(Seen.REFUSED));
            return pool.faults();
        }
    }
}
