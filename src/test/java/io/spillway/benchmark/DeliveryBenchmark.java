package io.spillway.benchmark;

import io.spillway.testing.Deliveries;
import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures how fast rows are delivered: small batches to an endpoint that takes 20 ms for each, and
 * large ones to one that answers at once. Service and endpoint share the process and its cores;
 * times are those from the first request to the last, as the endpoint sees them.
 *
 * <p>Settings, as system properties: {@code benchmark.folder} (a folder of Parquet files of trips),
 * {@code benchmark.rounds} (3, after one that does not count).
 */
public final class DeliveryBenchmark {

    private static final Duration SLOW = Duration.ofMillis(20);
    private static final int CONCURRENCY = 16;
    private static final int SMALL = 96;
    private static final int LARGE = 5_000;
    private static final int SMALL_BATCHES = 8_000;
    private static final int LARGE_BATCHES = 600;

    private final SpillwayServer server;
    private final Deliveries deliveries;

    private DeliveryBenchmark(SpillwayServer server) {
        this.server = server;
        this.deliveries = new Deliveries(server.http());
    }

    /** Runs everything. */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        int rounds = Integer.getInteger("benchmark.rounds", 3);
        Path[] files;
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("benchmark.folder")))) {
            files =
                    all.filter(file -> file.toString().endsWith(".parquet"))
                            .sorted()
                            .toArray(Path[]::new);
        }
        try (SpillwayServer server =
                Deliveries.allowed(SpillwayServer.builder()).dataset("trips", files).start()) {
            DeliveryBenchmark benchmark = new DeliveryBenchmark(server);
            for (String order : List.of("strict", "any")) {
                for (int round = 0; round <= rounds; round++) {
                    out.printf(
                            "%s%s, %d rows, 20 ms, concurrency %d: %.0f batches/s%n",
                            round == 0 ? "(warm-up) " : "",
                            order,
                            SMALL,
                            CONCURRENCY,
                            benchmark.slow(order));
                }
            }
            for (int round = 0; round <= rounds; round++) {
                out.printf(
                        "%sany, %,d rows, at once, concurrency 4: %.0f MB/s of JSON%n",
                        round == 0 ? "(warm-up) " : "", LARGE, benchmark.instant());
            }
        }
    }

    private double slow(String order) throws IOException {
        try (Receiver endpoint = Receiver.start().withoutBodies()) {
            endpoint.always(Reply.status(200).after(SLOW));
            List<Received> requests = deliver(endpoint, SMALL, SMALL_BATCHES, order, CONCURRENCY);
            return requests.size() / seconds(requests);
        }
    }

    private double instant() throws IOException {
        try (Receiver endpoint = Receiver.start().withoutBodies()) {
            List<Received> requests = deliver(endpoint, LARGE, LARGE_BATCHES, "any", 4);
            return requests.stream().mapToLong(Received::bytes).sum() / seconds(requests) / 1e6;
        }
    }

    private List<Received> deliver(
            Receiver endpoint, int rows, int batches, String order, int concurrency) {
        String job =
                server.submit(
                        "{\"from\": {\"dataset\": \"trips\"}, \"steps\": [{\"op\": \"limit\", \"rows\": %d}]}"
                                .formatted((long) rows * batches));
        deliveries.completed(
                job, endpoint.uri("/"), rows, Map.of("order", order, "concurrency", concurrency));
        List<Received> requests = endpoint.requests();
        if (requests.size() != batches) {
            throw new IllegalStateException(
                    "%d requests came, and not %d".formatted(requests.size(), batches));
        }
        return requests;
    }

    private static double seconds(List<Received> requests) {
        return Duration.between(requests.getFirst().at(), requests.getLast().at()).toNanos() / 1e9;
    }
}
