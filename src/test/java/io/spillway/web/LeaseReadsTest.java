package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.Groups;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What holders of leases read together, of files and of pages: hardly more than one scan. */
class LeaseReadsTest {

    private static final int ROWS = 3_000_000;
    private static final int HOLDERS = 8;

    /** Of one who gets no processor for a while, what was read for him has gone by then. */
    private static final int TRIES = 3;

    /** What scans have done so far. */
    private record Scanned(double read, double decoded) {

        static Scanned of(SpillwayServer server) {
            MeterRegistry registry = server.bean("prometheusMeterRegistry", MeterRegistry.class);
            return new Scanned(
                    registry.get("spillway.scan.read").counter().count(),
                    registry.get("spillway.scan.decoded").counter().count());
        }

        Scanned since(Scanned before) {
            return new Scanned(read - before.read, decoded - before.decoded);
        }

        boolean isWithin(double times, Scanned other) {
            return read <= times * other.read && decoded <= times * other.decoded;
        }
    }

    @ParameterizedTest
    @CsvSource({"5000, 1", "20000, 1", "5000, 3"})
    void holdersReadAllOnceTogether(int size, int batches) throws Exception {
        try (SpillwayServer server =
                SpillwayServer.builder()
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .start()) {
            Scanned start = Scanned.of(server);
            scan(server);
            Scanned scan = Scanned.of(server).since(start);
            assertThat(scan.decoded()).isPositive();

            List<Scanned> tries = new ArrayList<>();
            do {
                Scanned before = Scanned.of(server);
                hold(server, size, batches);
                tries.add(Scanned.of(server).since(before));
            } while (!tries.getLast().isWithin(1.2, scan) && tries.size() < TRIES);
            assertThat(tries).as("of %s", scan).anyMatch(read -> read.isWithin(1.2, scan));
        }
    }

    private static String job(SpillwayServer server) {
        return server.submit("{\"from\": {\"dataset\": \"flights\"}}");
    }

    private static void scan(SpillwayServer server) throws IOException {
        String rows = "/v1/jobs/" + job(server) + "/rows";
        try (ChunkedResponse response =
                ChunkedResponse.ok(server.port(), rows, "application/x-ndjson")) {
            response.drain();
        }
    }

    /** Holders at work, each at its own pace, until all is committed. */
    private static void hold(SpillwayServer server, int size, int batches) throws Exception {
        Groups group =
                new Groups(server.http(), job(server), "holders")
                        .made("{\"batch\": {\"rows\": %d}}".formatted(size));
        Map<Long, Integer> read = new ConcurrentSkipListMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> holders = new ArrayList<>();
            for (int i = 0; i < HOLDERS; i++) {
                String name = "holder-" + i;
                holders.add(threads.submit(() -> work(group, name, batches, read)));
            }
            for (Future<?> holder : holders) {
                holder.get();
            }
        }
        assertThat(read).hasSize(Math.ceilDiv(ROWS, size));
        assertThat(read.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(ROWS);
    }

    private static void work(Groups group, String name, int batches, Map<Long, Integer> read) {
        while (true) {
            HttpAnswer answer = group.ask(name, batches, "");
            if (answer.status() == 410) {
                return;
            }
            if (answer.status() == 204) {
                LockSupport.parkNanos(1_000_000);
                continue;
            }
            for (JsonNode lease : Groups.leases(answer)) {
                read.put(lease.get("firstRow").longValue(), group.rows(lease).size());
                group.commit(lease);
            }
        }
    }
}
