package io.spillway.job;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work of a process that keeps leases, done again and again: several times in the life of a lease,
 * and soon whenever somebody asks. One turn at a time; a turn that fails is followed by others.
 * Thread-safe.
 */
public final class Turns implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int A_LEASE = 4;

    private final String what;
    private final long periodMillis;
    private final Executor waiting;
    private final Runnable turn;
    private final AtomicBoolean turning = new AtomicBoolean();
    private final ScheduledExecutorService thread;
    private volatile boolean again;

    /**
     * Begins nothing yet.
     *
     * @param what is looked after, for messages and the thread's name, such as {@code exports}
     * @param lease how long one lasts
     * @param waiting runs turns, which may wait for disk, network or database
     */
    public Turns(String what, Duration lease, Executor waiting, Runnable turn) {
        this.what = what;
        this.waiting = waiting;
        this.turn = turn;
        Duration part = lease.dividedBy(A_LEASE);
        this.periodMillis = (part.compareTo(LONGEST) < 0 ? part : LONGEST).toMillis();
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name(what).factory());
    }

    /** Begins: the first turn by itself comes after the time between two. */
    public void start() {
        var _ =
                thread.scheduleWithFixedDelay(
                        this::soon, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    /** Has a turn soon. */
    public void soon() {
        again = true;
        waiting.execute(this::run);
    }

    /** One at a time; one who comes meanwhile has another turn follow. */
    private void run() {
        while (again && turning.compareAndSet(false, true)) {
            again = false;
            try {
                turn.run();
            } catch (RuntimeException e) {
                LOG.warn("{} are looked after later", what, e);
            } finally {
                turning.set(false);
            }
        }
    }

    /** No more turns by themselves; one that is under way goes on. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
