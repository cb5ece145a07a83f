package io.spillway.benchmark;

import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.HttpAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Readers of server-sent events by the thousand. Most stall after their first event. The others are
 * live: all but one take some hundred kilobytes a second, as dashboards do, and one takes what it
 * can get. Meanwhile the service is asked for other things. In the end the stalled ones read on,
 * and all leave.
 */
final class SseLoad {

    private static final String EVENTS = "text/event-stream";
    private static final String JSON = "application/json";

    /** What a stalled reader takes before it stalls, and again when it goes on. */
    private static final long TASTE = 2_048;

    private static final long AFTERWARDS = 32_768;

    private static final int STALLED_BUFFER = 4_096;
    private static final int LIVE_BUFFER = 1 << 16;

    /** A live reader takes so much in a tenth of a second. */
    private static final long PACE = 32_768;

    private static final long PATIENCE_MILLIS = 120_000;

    /**
     * What was seen.
     *
     * @param dropped readers whose connection ended
     * @param refused readers that were told to come again before they got in
     * @param residentBytes the most memory that the service had
     * @param liveMegabytesPerSecond of the reader that took what it could
     * @param pacedMegabytesPerSecond of all other live readers together
     * @param controlMillis the 99th percentile of what other calls took
     * @param backMillis from the last reader's leaving until nothing of them was left
     */
    record Result(
            int dropped,
            int refused,
            long residentBytes,
            double liveMegabytesPerSecond,
            double pacedMegabytesPerSecond,
            double controlMillis,
            double backMillis) {}

    private final ServiceProcess service;
    private final String job;
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong resident = new AtomicLong();
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private final List<Double> controlMillis = new ArrayList<>();

    /**
     * @param job the path of a job of which a reader can read on for a while
     */
    SseLoad(ServiceProcess service, String job) {
        this.service = service;
        this.job = job;
    }

    /**
     * @param live the live ones, at least 2
     * @param millis how long the live ones read beside all stalled ones
     */
    Result run(int stalled, int live, long millis) throws IOException {
        SocketReaders.checkFileLimit("self", stalled + live);
        SocketReaders.checkFileLimit(Long.toString(service.pid()), stalled + live);
        String rows = job + "/rows";
        long socketsBefore = sockets();
        double fast;
        double paced;
        int dropped;
        int refused;
        try (SocketReaders silent =
                        new SocketReaders(service.port(), rows, EVENTS, TASTE, STALLED_BUFFER);
                SocketReaders dashboards =
                        new SocketReaders(service.port(), rows, EVENTS, PACE, LIVE_BUFFER)) {
            Thread watch = start(this::watchMemory);
            silent.open(stalled, PATIENCE_MILLIS);
            dashboards.open(live - 1, PATIENCE_MILLIS);
            Thread control = start(this::control);
            Thread pace = start(() -> pace(dashboards));
            long before = dashboards.bytes();
            long start = System.nanoTime();
            fast = fastReader(rows, millis);
            paced = (dashboards.bytes() - before) * 1e3 / (System.nanoTime() - start);
            stop.set(true);
            for (Thread thread : List.of(pace, control, watch)) {
                join(thread);
            }
            silent.allow(AFTERWARDS);
            silent.awaitSatisfied(PATIENCE_MILLIS);
            dropped = silent.dropped() + dashboards.dropped();
            refused = silent.refusals() + dashboards.refusals();
        }
        return new Result(
                dropped,
                refused,
                resident.get(),
                fast,
                paced,
                percentile(controlMillis, 0.99),
                millisUntilBack(socketsBefore));
    }

    /** Megabytes a second of one that reads all it can get for a time. */
    private double fastReader(String rows, long millis) throws IOException {
        long start = System.nanoTime();
        try (ChunkedResponse events = service.ok(rows, EVENTS)) {
            while (System.nanoTime() - start < millis * 1_000_000 && events.read()) {
                // All is in the condition.
            }
            return events.bytes() * 1e3 / (System.nanoTime() - start);
        }
    }

    private void watchMemory() throws IOException {
        while (!stop.get()) {
            resident.accumulateAndGet(ProcessMemory.residentBytes(service.pid()), Math::max);
            Pause.millis(50);
        }
    }

    private void pace(SocketReaders dashboards) throws IOException {
        while (!stop.get()) {
            Pause.millis(100);
            dashboards.allow(PACE);
        }
    }

    /** What others do meanwhile: look at a job, page through it, submit another and delete it. */
    private void control() throws IOException {
        while (!stop.get()) {
            String other = timed(() -> service.submit("{\"from\": {\"dataset\": \"measured\"}}"));
            expect(200, timed(() -> service.http().get(job, JSON)));
            expect(200, timed(() -> service.http().get(other + "/rows?limit=10", JSON)));
            expect(204, timed(() -> service.http().call("DELETE", other, Map.of(), null)));
            expect(200, timed(() -> service.http().get("/actuator/health/liveness", JSON)));
            Pause.millis(20);
        }
    }

    private static void expect(int status, HttpAnswer answer) throws IOException {
        if (answer.status() != status) {
            throw new IOException(answer.status() + ": " + answer.text());
        }
    }

    private interface Call<T> {
        T run() throws IOException;
    }

    private <T> T timed(Call<T> call) throws IOException {
        long start = System.nanoTime();
        T answer = call.run();
        controlMillis.add((System.nanoTime() - start) / 1e6);
        return answer;
    }

    private double millisUntilBack(long socketsBefore) throws IOException {
        long start = System.nanoTime();
        while (!isBack(socketsBefore)) {
            if (System.nanoTime() - start > PATIENCE_MILLIS * 1_000_000) {
                throw new IOException(
                        "left behind: %.0f readers, %.0f bytes, %d sockets"
                                .formatted(
                                        service.metric("spillway_readers"),
                                        service.metric("spillway_memory_held_bytes"),
                                        sockets() - socketsBefore));
            }
            Pause.millis(20);
        }
        return (System.nanoTime() - start) / 1e6;
    }

    /** The socket over which this asks may have come since. */
    private boolean isBack(long socketsBefore) throws IOException {
        return service.metric("spillway_readers") == 0
                && service.metric("spillway_memory_held_bytes") == 0
                && service.metric("spillway_memory_seated_bytes") == 0
                && sockets() <= socketsBefore + 2;
    }

    /** Open sockets of the service. */
    private long sockets() throws IOException {
        Path handles = Path.of("/proc", Long.toString(service.pid()), "fd");
        try (Stream<Path> files = Files.list(handles)) {
            return files.filter(SseLoad::isSocket).count();
        }
    }

    private static boolean isSocket(Path handle) {
        try {
            return Files.readSymbolicLink(handle).toString().startsWith("socket:");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    private static double percentile(List<Double> values, double share) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(share * sorted.size()) - 1);
    }

    private interface Body {
        void run() throws IOException;
    }

    private Thread start(Body body) {
        return Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                body.run();
                            } catch (IOException e) {
                                failure.compareAndSet(null, e);
                            }
                        });
    }

    private void join(Thread thread) throws IOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        IOException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }
}
