package io.spillway.execution;

import io.spillway.execution.PartitionTask.Turn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs partition tasks on a fixed pool of platform threads.
 *
 * <p>Turns are fair between groups (one a job), not between tasks: the groups that have something
 * to run stand in a ring, each visit runs one turn of one of the group's tasks. So a job with
 * 10,000 partitions does not starve one with two.
 *
 * <pre>
 *           start            take             Again
 *   (new) ────────▶ QUEUED ────────▶ RUNNING ───────▶ QUEUED
 *                     ▲                 │ Blocked
 *                     │ future done,    ▼                    Done, throw, or canceled:
 *                     └── idle, cancel ─ BLOCKED             close() → ENDED
 * </pre>
 *
 * Everything that decides about states happens under one lock, held for a few list operations;
 * tasks run, and futures complete, outside of it.
 */
public final class PartitionScheduler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionScheduler.class);

    private enum State {
        QUEUED,
        RUNNING,
        BLOCKED,
        ENDED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition closing = lock.newCondition();
    private final ArrayDeque<TaskGroup> ring = new ArrayDeque<>();
    private final Set<Handle> handles = new HashSet<>();

    /** Blocked tasks that have not been told yet that they are idle, longest blocked first. */
    private final LinkedHashSet<Handle> blocked = new LinkedHashSet<>();

    private final long idleNanos;
    private final BooleanSupplier hurry;
    private final List<Thread> threads = new ArrayList<>();
    private boolean closed;

    /**
     * Starts the threads.
     *
     * @param threadCount number of worker threads, usually one a core
     * @param idleAfter how long a task may be blocked before it is told that it is idle
     * @param hurry while true, a task is told so after a twentieth of that: others wait for what
     *     idle tasks hold
     */
    public PartitionScheduler(int threadCount, Duration idleAfter, BooleanSupplier hurry) {
        this.idleNanos = idleAfter.toNanos();
        this.hurry = hurry;
        for (int i = 0; i < threadCount; i++) {
            threads.add(Thread.ofPlatform().daemon().name("partition-" + i).start(this::work));
        }
        threads.add(Thread.ofPlatform().daemon().name("partition-idle").start(this::watch));
    }

    public int parallelism() {
        return threads.size() - 1;
    }

    /**
     * A group of tasks that takes its turns as one among the groups. Costs nothing while it has no
     * task.
     */
    public TaskGroup group() {
        return new TaskGroup();
    }

    /** Tasks that share one place in the ring. */
    public final class TaskGroup {

        private final ArrayDeque<Handle> runnable = new ArrayDeque<>();
        private final AtomicInteger live = new AtomicInteger();

        private TaskGroup() {}

        /** Number of tasks that have not ended. */
        public int live() {
            return live.get();
        }

        /** Starts a task. After the scheduler was closed the task is closed at once. */
        public TaskHandle start(PartitionTask task) {
            Handle handle = new Handle(this, task);
            live.incrementAndGet();
            lock.lock();
            try {
                if (!closed) {
                    handles.add(handle);
                    enqueue(handle);
                    return handle;
                }
                handle.state = State.ENDED;
            } finally {
                lock.unlock();
            }
            close(handle);
            return handle;
        }
    }

    /** A started task. Thread-safe. */
    public interface TaskHandle {

        /** Ends the task as soon as its present turn is over, if one is. */
        void cancel();

        /** Done when the task has ended and freed everything. */
        CompletableFuture<Void> ended();
    }

    private final class Handle implements TaskHandle {

        private final TaskGroup group;
        private final PartitionTask task;
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        // Below: guarded by lock.
        private State state = State.BLOCKED;
        private boolean canceled;
        private boolean idle;
        private @Nullable CompletableFuture<?> waitsFor;
        private long blockedSince;

        Handle(TaskGroup group, PartitionTask task) {
            this.group = group;
            this.task = task;
        }

        @Override
        public void cancel() {
            lock.lock();
            try {
                canceled = true;
                if (state == State.BLOCKED) {
                    enqueue(this);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public CompletableFuture<Void> ended() {
            return ended;
        }

        /** The future that the task was blocked on is done. */
        @SuppressWarnings("ReferenceEquality") // which future it is matters, not what it holds
        void wake(CompletableFuture<?> done) {
            lock.lock();
            try {
                if (state == State.BLOCKED && waitsFor == done) {
                    enqueue(this);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Caller holds the lock. */
    private void enqueue(Handle handle) {
        blocked.remove(handle);
        handle.state = State.QUEUED;
        if (handle.group.runnable.isEmpty()) {
            ring.add(handle.group);
        }
        handle.group.runnable.add(handle);
        work.signal();
    }

    private void work() {
        for (Handle handle = take(); handle != null; handle = take()) {
            boolean cancel;
            boolean idle;
            CompletableFuture<?> waitsFor;
            lock.lock();
            try {
                cancel = handle.canceled;
                waitsFor = handle.waitsFor;
                // If what it waits for has come meanwhile, it is not idle.
                idle = handle.idle && waitsFor != null && !waitsFor.isDone();
                handle.idle = false;
            } finally {
                lock.unlock();
            }
            Turn turn = Turn.DONE;
            if (!cancel) {
                try {
                    turn = idle ? idle(handle, waitsFor) : handle.task.run();
                } catch (Throwable t) {
                    fail(handle, t);
                }
            }
            settle(handle, turn, idle);
        }
    }

    /** Tells a task that it is idle; it stays blocked. */
    private static Turn idle(Handle handle, @Nullable CompletableFuture<?> waitsFor) {
        handle.task.idle();
        return new Turn.Blocked(Objects.requireNonNull(waitsFor));
    }

    private @Nullable Handle take() {
        lock.lock();
        try {
            while (ring.isEmpty()) {
                if (closed) {
                    return null;
                }
                work.awaitUninterruptibly();
            }
            TaskGroup group = ring.remove();
            Handle handle = group.runnable.remove();
            if (!group.runnable.isEmpty()) {
                ring.add(group);
                work.signal();
            }
            handle.state = State.RUNNING;
            return handle;
        } finally {
            lock.unlock();
        }
    }

    /** Carries out what a turn ended with. */
    private void settle(Handle handle, Turn turn, boolean wasIdle) {
        boolean end = false;
        CompletableFuture<?> until = null;
        lock.lock();
        try {
            if (handle.canceled || turn instanceof Turn.Done) {
                handle.state = State.ENDED;
                handles.remove(handle);
                end = true;
            } else if (turn instanceof Turn.Blocked(CompletableFuture<?> future)
                    && !future.isDone()) {
                handle.state = State.BLOCKED;
                handle.waitsFor = future;
                until = future;
                if (!wasIdle) {
                    handle.blockedSince = System.nanoTime();
                    blocked.add(handle);
                }
            } else {
                handle.waitsFor = null;
                enqueue(handle);
            }
        } finally {
            lock.unlock();
        }
        if (end) {
            close(handle);
        } else if (until != null) {
            CompletableFuture<?> future = until;
            var _ = future.whenComplete((value, failure) -> handle.wake(future));
        }
    }

    private static void fail(Handle handle, Throwable cause) {
        try {
            handle.task.failed(cause);
        } catch (Throwable t) {
            t.addSuppressed(cause);
            LOG.error("a task could not report its failure", t);
        }
    }

    private static void close(Handle handle) {
        try {
            handle.task.close();
        } catch (Throwable t) {
            LOG.error("a task could not be closed", t);
        }
        handle.group.live.decrementAndGet();
        handle.ended.complete(null);
    }

    /** Tells tasks that have been blocked for long that they are idle. */
    private void watch() {
        lock.lock();
        try {
            while (!closed) {
                closing.awaitNanos(Math.max(idleNanos / 20, 1_000_000));
                long now = System.nanoTime();
                long patience = hurry.getAsBoolean() ? idleNanos / 20 : idleNanos;
                for (Iterator<Handle> it = blocked.iterator(); it.hasNext(); ) {
                    Handle oldest = it.next();
                    if (now - oldest.blockedSince < patience) {
                        break;
                    }
                    it.remove();
                    oldest.idle = true;
                    enqueue(oldest);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Cancels all tasks, waits for the turns that are running, and ends the threads. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            handles.forEach(Handle::cancel);
            work.signalAll();
            closing.signalAll();
        } finally {
            lock.unlock();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
