package io.spillway.delivery;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Records what was done, for all deliveries of this process: what comes while a transaction is
 * under way goes into the next one. A database that does not answer is asked again until it does;
 * those who wait send nothing more meanwhile. Thread-safe.
 */
final class Recorder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Deliveries of one transaction. */
    private static final int MOST_AT_ONCE = 256;

    private record Wish(Changes.Made made, CompletableFuture<Boolean> recorded) {}

    private final DeliveryStore store;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Wish> wishes = new ArrayDeque<>();
    private boolean closed;

    /** Starts its thread. */
    Recorder(DeliveryStore store) {
        this.store = store;
        Thread.ofVirtual().name("delivery-recorder").start(this::run);
    }

    /**
     * Has something recorded.
     *
     * @return whether it was, else the lease is lost; fails with a {@code SpillwayException} if it
     *     cannot be recorded
     */
    CompletableFuture<Boolean> record(Changes.Made made) {
        CompletableFuture<Boolean> recorded = new CompletableFuture<>();
        lock.lock();
        try {
            if (closed) {
                recorded.completeExceptionally(
                        new SpillwayException(
                                ErrorCode.SHUTTING_DOWN, "The service is shutting down"));
            } else {
                wishes.add(new Wish(made, recorded));
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        return recorded;
    }

    private void run() {
        try {
            List<Wish> some = take();
            while (!some.isEmpty()) {
                record(some);
                some = take();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the recorder", e);
        }
    }

    /** Waits for wishes; none once it is closed. */
    private List<Wish> take() throws InterruptedException {
        lock.lock();
        try {
            while (wishes.isEmpty() && !closed) {
                changed.await();
            }
            List<Wish> some = new ArrayList<>();
            while (!wishes.isEmpty() && some.size() < MOST_AT_ONCE) {
                some.add(wishes.remove());
            }
            return some;
        } finally {
            lock.unlock();
        }
    }

    private void record(List<Wish> some) throws InterruptedException {
        try {
            settle(some);
        } catch (RuntimeException e) {
            if (!isWrong(e)) {
                LOG.warn("what was sent of {} deliveries is recorded later", some.size(), e);
                again(some, e);
            } else if (some.size() == 1) {
                some.getFirst().recorded().completeExceptionally(e);
            } else {
                for (Wish wish : some) {
                    record(List.of(wish));
                }
            }
        }
    }

    /** Whether it is what was to be recorded that is wrong, and not the database. */
    private static boolean isWrong(RuntimeException failure) {
        return !(failure instanceof SpillwayException e)
                || e.code() != ErrorCode.STORE_FAILED
                || e.getCause() instanceof DataIntegrityViolationException;
    }

    private void settle(List<Wish> some) {
        Set<DeliveryLease> lost = store.record(some.stream().map(Wish::made).toList());
        some.forEach(
                wish -> wish.recorded().complete(!lost.contains(wish.made().changes().lease())));
    }

    private void again(List<Wish> some, RuntimeException failure) throws InterruptedException {
        lock.lock();
        try {
            long left = PAUSE.toNanos();
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (!closed) {
                wishes.addAll(some);
                return;
            }
        } finally {
            lock.unlock();
        }
        some.forEach(wish -> wish.recorded().completeExceptionally(failure));
    }

    /** Records what was wished for before, and nothing more. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
