package io.spillway.benchmark;

import io.spillway.benchmark.Contender.Streamed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Twenty readers that hardly read, and one that reads as fast as it can, of one job. */
final class SlowReaders {

    static final int COUNT = 20;

    /** A slow reader takes one buffer, at most 256 KiB, in so many milliseconds. */
    static final int PAUSE_MILLIS = 1_000;

    private static final long PATIENCE = 10_000_000_000L;

    private SlowReaders() {}

    /**
     * What was seen.
     *
     * @param fast the fast reader's stream
     * @param slowBytes bytes that all slow readers together took meanwhile
     * @param residentBytes the most memory the service had meanwhile, sampled
     * @param freedNanos from the slow readers' leaving until the service had no reader left
     */
    record Result(Streamed fast, long slowBytes, long residentBytes, long freedNanos) {}

    static Result run(SpillwayContender spillway) throws IOException {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong bytes = new AtomicLong();
        AtomicLong resident = new AtomicLong();
        Queue<IOException> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            threads.add(
                    start(
                            failures,
                            () -> {
                                try (ChunkedResponse rows = spillway.open()) {
                                    while (!stop.get() && rows.read()) {
                                        Pause.millis(PAUSE_MILLIS);
                                    }
                                    bytes.addAndGet(rows.bytes());
                                }
                            }));
        }
        threads.add(
                start(
                        failures,
                        () -> {
                            while (!stop.get()) {
                                long now = ProcessMemory.residentBytes(spillway.pid());
                                resident.accumulateAndGet(now, Math::max);
                                Pause.millis(50);
                            }
                        }));
        Pause.millis(2_000);
        Streamed fast = spillway.stream();
        stop.set(true);
        for (Thread thread : threads) {
            join(thread);
        }
        IOException failed = failures.peek();
        if (failed != null) {
            throw failed;
        }
        return new Result(fast, bytes.get(), resident.get(), freed(spillway));
    }

    /** The readers leave at the end of their pauses; the last one's leaving starts the clock. */
    private static long freed(SpillwayContender spillway) throws IOException {
        long start = System.nanoTime();
        while (spillway.activeReaders() > 0) {
            if (System.nanoTime() - start > PATIENCE) {
                throw new IOException("readers are left after ten seconds");
            }
            Pause.millis(10);
        }
        return System.nanoTime() - start;
    }

    private interface Body {
        void run() throws IOException;
    }

    private static Thread start(Queue<IOException> failures, Body body) {
        return Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                body.run();
                            } catch (IOException e) {
                                failures.add(e);
                            }
                        });
    }

    private static void join(Thread thread) throws IOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
