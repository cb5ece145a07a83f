package io.spillway.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.ParquetFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A source that is far faster than most of its readers: what is made for each of them is bounded,
 * however long it takes, nobody waits for another, and no row is lost.
 */
class SlowReadersTest {

    private static final String NDJSON = "application/x-ndjson";

    /** Off-heap memory that the service may use for data, beside a heap of 512 MiB. */
    private static final long BUDGET = 256L << 20;

    /** The most that may ever be resident: heap, budget, and what a JVM has besides. */
    private static final long RESIDENT = 1_000L << 20;

    private static final int ROW_GROUP = 20_480;

    /** A slow reader takes so much in a tenth of a second: eight kilobytes a second. */
    private static final long SIP = 819;

    private static final long TASTE = 2_048;
    private static final int BUFFER = 8_192;

    /** What waits for a slow reader keeps it busy for so long. */
    private static final long COMES_BACK_MILLIS = 10_000;

    private static final long PATIENCE_MILLIS = 60_000;

    @TempDir Path folder;

    /** How many there are of everything, how long it takes, and how long a reader may stall. */
    private record Scale(long rows, int slow, long millis, long stallMillis) {}

    @Test
    void aFewAreHeldBackByNobody() throws Exception {
        run(new Scale(60_000, 10, 1_000, 2_000));
    }

    @Test
    @Tag("long")
    void manyAreHeldBackByNobody() throws Exception {
        run(new Scale(2_000_000, 50, 60_000, 10_000));
    }

    private void run(Scale scale) throws Exception {
        Path file =
                ParquetFiles.write(
                        folder.resolve("rows.parquet"),
                        "SELECT range AS id, repeat(md5(range::VARCHAR), 31) AS text FROM range("
                                + scale.rows()
                                + ")",
                        "CODEC 'zstd', ROW_GROUP_SIZE " + ROW_GROUP);
        try (ServiceProcess service =
                new ServiceProcess(
                        ServiceProcess.classes(),
                        List.of(),
                        List.of(
                                "--spillway.memory.budget=" + BUDGET + "B",
                                "--spillway.memory.per-job=" + BUDGET + "B",
                                "--spillway.limits.stall=" + scale.stallMillis() + "ms",
                                "--spillway.datasets.rows.format=parquet",
                                "--spillway.datasets.rows.paths[0]=" + file))) {
            String rows = service.submit("{\"from\": {\"dataset\": \"rows\"}}") + "/rows";
            AtomicLong resident = new AtomicLong();
            long alone = fast(service, rows, scale.rows());
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<?> watch = run(() -> watch(service, stop, resident));
            try (SocketReaders slow =
                            new SocketReaders(service.port(), rows, NDJSON, TASTE, BUFFER);
                    ChunkedResponse silent =
                            ChunkedResponse.get(
                                    service.port(), rows, Map.of("Accept", NDJSON), BUFFER)) {
                Lines silentLines = new Lines(silent);
                silentLines.read(1);
                long stalled = System.nanoTime();
                slow.open(scale.slow(), PATIENCE_MILLIS);
                CompletableFuture<?> sips = run(() -> sip(slow, stop));
                CompletableFuture<Long> witness = run(() -> witness(service, rows, stop));

                long beside = fast(service, rows, scale.rows());
                assertThat(beside).isLessThan(4 * alone + 3_000);
                runsLittleAhead(service, scale);
                Pause.millis(
                        Math.max(
                                scale.millis(),
                                2 * scale.stallMillis()
                                        - (System.nanoTime() - stalled) / 1_000_000));
                stop.set(true);
                for (CompletableFuture<?> one : List.of(watch, sips, witness)) {
                    one.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                }
                assertThat(witness.get()).isPositive();
                assertThat(slow.dropped()).isZero();
                isCutOffAndGoesOn(service, rows, silentLines);
            }
            assertThat(resident).hasValueLessThan(RESIDENT);
            awaitNothingLeft(service);
        }
    }

    /** Milliseconds that a reader takes who reads all there is as fast as it comes. */
    private static long fast(ServiceProcess service, String rows, long count) throws IOException {
        long start = System.nanoTime();
        try (ChunkedResponse all = service.ok(rows, NDJSON)) {
            all.drain();
            assertThat(all.field("Spillway-Row-Count")).isEqualTo(Long.toString(count));
            assertThat(all.bytes()).isGreaterThan(count * 1_000);
        }
        return (System.nanoTime() - start) / 1_000_000;
    }

    /**
     * For readers who take little, no more is decoded than one row group for each, at most; and
     * once more whenever one comes back that has used up what waited for it.
     */
    private static void runsLittleAhead(ServiceProcess service, Scale scale) throws IOException {
        double decoded = service.metric("spillway_scan_decoded_bytes_total");
        Pause.millis(scale.millis());
        assertThat(service.metric("spillway_scan_decoded_bytes_total") - decoded)
                .isLessThanOrEqualTo(
                        (scale.slow() + 2)
                                * (1 + scale.millis() / COMES_BACK_MILLIS)
                                * ROW_GROUP
                                * 1_100.0);
    }

    /** It has stalled for long: what was on its way is all it gets, and it goes on behind that. */
    private static void isCutOffAndGoesOn(ServiceProcess service, String rows, Lines silent)
            throws IOException {
        silent.readUntilItBreaks();
        try (ChunkedResponse back =
                ChunkedResponse.get(
                        service.port(),
                        rows + "?limit=3&offset=" + silent.next(),
                        Map.of("Accept", NDJSON))) {
            Lines resumed = new Lines(back, silent.next());
            resumed.read(3);
        }
    }

    /** A slow reader that looks at each row; gives their number. */
    private static long witness(ServiceProcess service, String rows, AtomicBoolean stop)
            throws IOException {
        try (ChunkedResponse slow =
                ChunkedResponse.get(service.port(), rows, Map.of("Accept", NDJSON), BUFFER)) {
            Lines lines = new Lines(slow);
            while (!stop.get()) {
                lines.read(lines.next() + 8);
                Pause.millis(1_000);
            }
            return lines.next();
        }
    }

    private static void sip(SocketReaders slow, AtomicBoolean stop) throws IOException {
        while (!stop.get()) {
            slow.allow(SIP);
            Pause.millis(100);
        }
    }

    private static void watch(ServiceProcess service, AtomicBoolean stop, AtomicLong resident)
            throws IOException {
        while (!stop.get()) {
            resident.accumulateAndGet(ProcessMemory.residentBytes(service.pid()), Math::max);
            assertThat(service.metric("spillway_memory_held_bytes")).isLessThanOrEqualTo(BUDGET);
            Pause.millis(200);
        }
    }

    private static void awaitNothingLeft(ServiceProcess service) throws IOException {
        long end = System.nanoTime() + 5_000_000_000L;
        while (service.metric("spillway_readers") > 0
                || service.metric("spillway_memory_held_bytes") > 0) {
            assertThat(System.nanoTime()).as("all is given back").isLessThan(end);
            Pause.millis(50);
        }
    }

    /** The lines of a stream, each of which must be the row that comes next. */
    private static final class Lines {

        private final ChunkedResponse response;
        private final StringBuilder text = new StringBuilder();
        private long next;

        Lines(ChunkedResponse response) {
            this(response, 0);
        }

        Lines(ChunkedResponse response, long next) {
            assertThat(response.status()).isEqualTo(200);
            this.response = response;
            this.next = next;
        }

        /** Number of the row that comes next. */
        long next() {
            return next;
        }

        /** Reads on until there have been so many rows. */
        void read(long rows) throws IOException {
            while (next < rows) {
                byte[] more = response.next();
                assertThat(more).as("the stream ends at row %d", next).isNotEmpty();
                take(more);
            }
        }

        void readUntilItBreaks() {
            try {
                for (byte[] more = response.next(); more.length > 0; more = response.next()) {
                    take(more);
                }
            } catch (IOException e) {
                return;
            }
            throw new AssertionError("the stream came to its end");
        }

        private void take(byte[] more) {
            text.append(new String(more, StandardCharsets.US_ASCII));
            for (int end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
                assertThat(text.substring(0, end)).startsWith("{\"id\":" + next + ",\"text\":\"");
                text.delete(0, end + 1);
                next++;
            }
        }
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private interface Task {
        void run() throws IOException;
    }

    private static CompletableFuture<?> run(Task task) {
        return run(
                () -> {
                    task.run();
                    return true;
                });
    }

    private static <T> CompletableFuture<T> run(Work<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                result.complete(work.run());
                            } catch (Throwable t) {
                                result.completeExceptionally(t);
                            }
                        });
        return result;
    }
}
