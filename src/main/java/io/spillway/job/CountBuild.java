package io.spillway.job;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.execution.PartitionScheduler.TaskHandle;
import io.spillway.execution.PartitionTask;
import io.spillway.rows.CountProgress;
import io.spillway.rows.ReadContext;
import io.spillway.rows.RowSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one count of a job's rows in this process, however many wait for it. It counts as far as the
 * farthest of them needs, for as long as somebody waits, and for a while after the last one has
 * left, so that one who asks again finds it further on. What it learns stays in the row source,
 * also if it stops midway.
 *
 * <p>It runs as a task of the job's group: it takes the job's turns, asks for memory as all work
 * does, and holds no thread while it waits. Thread-safe; futures complete outside of the lock.
 */
final class CountBuild {

    /** Told what becomes of counts, by a thread that must not wait. */
    interface Listener {

        /** Something new is known of the row source. */
        void learned();

        void failed(SpillwayException failure);
    }

    /** A count that is younger has no rate yet. */
    private static final long RATE_NANOS = Duration.ofSeconds(2).toNanos();

    private final RowSource source;
    private final Supplier<ReadContext> contexts;
    private final TaskGroup group;
    private final Duration linger;
    private final Listener listener;

    // Below: guarded by this.
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private @Nullable TaskHandle task;
    private @Nullable SpillwayException ended;

    /** How far it goes on though nobody waits, and until when. */
    private long kept;

    private long keptUntil = System.nanoTime();

    private long startedAt;
    private int startedWith;

    private record Waiter(long row, CompletableFuture<Void> done) {

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    CountBuild(
            RowSource source,
            Supplier<ReadContext> contexts,
            TaskGroup group,
            Duration linger,
            Listener listener) {
        this.source = source;
        this.contexts = contexts;
        this.group = group;
        this.linger = linger;
        this.listener = listener;
    }

    /**
     * Done once a stream from a row on need not read what is before it; {@code Long.MAX_VALUE}
     * waits for the total. Fails if the count does. Cancelling takes the wish back.
     */
    CompletableFuture<Void> reach(long row) {
        if (isKnown(row)) {
            return CompletableFuture.completedFuture(null);
        }
        Waiter waiter = new Waiter(row, new CompletableFuture<>());
        synchronized (this) {
            if (ended != null) {
                return CompletableFuture.failedFuture(ended.copy());
            }
            waiters.add(waiter);
            keep(row);
            start();
        }
        var _ =
                waiter.done.whenComplete(
                        (done, failure) -> {
                            if (waiter.done.isCancelled()) {
                                left(waiter);
                            }
                        });
        // The task may have come past the row just before.
        settle();
        return waiter.done;
    }

    /** Goes on as far as a row for a while, though nobody waits. */
    void keepBuilding(long row) {
        if (isKnown(row)) {
            return;
        }
        synchronized (this) {
            if (ended == null) {
                keep(row);
                start();
            }
        }
    }

    /** Caller holds the lock. */
    private void keep(long row) {
        long now = System.nanoTime();
        kept = now - keptUntil < 0 ? Math.max(kept, row) : row;
        keptUntil = now + linger.toNanos();
    }

    private synchronized void left(Waiter waiter) {
        waiters.remove(waiter);
        keep(waiter.row);
    }

    private boolean isKnown(long row) {
        OptionalLong total = source.rowCount();
        return (total.isPresent() && row >= total.getAsLong()) || source.reaches(row);
    }

    /** Is a count under way? */
    synchronized boolean isRunning() {
        return task != null;
    }

    /**
     * Seconds until all partitions are counted, if the count under way goes on as it has so far;
     * null while that cannot be told.
     */
    synchronized @Nullable Double secondsLeft(long now) {
        int done = source.partitionsCounted() - startedWith;
        long nanos = now - startedAt;
        if (task == null || done <= 0 || nanos < RATE_NANOS) {
            return null;
        }
        return (source.partitions() - source.partitionsCounted()) * (nanos / 1e9 / done);
    }

    /** Stops a count that nobody wants any more. */
    synchronized void sweep(long now) {
        if (task != null && wanted(now) < 0) {
            task.cancel();
        }
    }

    /** Lets go of waiters whose row is known by now, whoever found it. */
    void settle() {
        List<Waiter> known = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Waiter> it = waiters.iterator(); it.hasNext(); ) {
                Waiter waiter = it.next();
                if (isKnown(waiter.row)) {
                    it.remove();
                    known.add(waiter);
                }
            }
        }
        known.forEach(waiter -> waiter.done.complete(null));
    }

    /** No more counts: waiters get the reason, what runs stops. */
    void end(SpillwayException reason) {
        synchronized (this) {
            ended = reason;
            if (task != null) {
                task.cancel();
            }
        }
        fail(reason);
    }

    private void fail(SpillwayException failure) {
        List<Waiter> all;
        synchronized (this) {
            all = List.copyOf(waiters);
            waiters.clear();
            keptUntil = System.nanoTime();
        }
        all.forEach(waiter -> waiter.done.completeExceptionally(failure.copy()));
    }

    /** How far to count now; negative if nobody wants it. Caller holds the lock. */
    private long wanted(long now) {
        long farthest = now - keptUntil < 0 && !isKnown(kept) ? kept : -1;
        for (Waiter waiter : waiters) {
            farthest = Math.max(farthest, waiter.row);
        }
        return farthest;
    }

    /** Caller holds the lock. */
    private void start() {
        if (task == null) {
            startedAt = System.nanoTime();
            startedWith = source.partitionsCounted();
            task = group.start(new Task());
        }
    }

    /** One count after the other, each as far as is wanted when it starts. */
    private final class Task implements PartitionTask {

        private @Nullable PollStream<CountProgress> stream;

        @Override
        public Turn run() {
            PollStream<CountProgress> open = stream;
            if (open == null) {
                long row = wantedNow();
                if (row < 0) {
                    return Turn.DONE;
                }
                open = source.count(row, contexts.get());
                stream = open;
            }
            return switch (open.poll()) {
                case Poll.Output<CountProgress> _ -> {
                    settle();
                    yield Turn.AGAIN;
                }
                case Poll.Blocked<CountProgress>(CompletableFuture<?> until) ->
                        new Turn.Blocked(until);
                case Poll.Finished<CountProgress>() -> {
                    closeStream();
                    settle();
                    listener.learned();
                    // Somebody may want it to go on.
                    yield Turn.AGAIN;
                }
            };
        }

        private long wantedNow() {
            synchronized (CountBuild.this) {
                return wanted(System.nanoTime());
            }
        }

        /** Nothing: a count that waits is not idle. */
        @Override
        public void idle() {}

        @Override
        public void failed(Throwable cause) {
            SpillwayException failure = Failures.asSpillway(cause);
            fail(failure);
            listener.failed(failure);
        }

        @Override
        public void close() {
            closeStream();
            synchronized (CountBuild.this) {
                task = null;
                // Somebody may have come since this one was given up.
                if (ended == null && wanted(System.nanoTime()) >= 0) {
                    start();
                }
            }
        }

        private void closeStream() {
            PollStream<CountProgress> open = stream;
            stream = null;
            if (open != null) {
                open.close();
            }
        }
    }
}
