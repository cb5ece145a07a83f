package io.spillway.group;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one at a time of this process do something for a group, in the order in which they came:
 * those who would wait in the database do not hold all its connections meanwhile, and nobody reads
 * what another one reads already. Groups may share a turn. Others than this process are not seen.
 */
final class GroupTurns {

    private static final int LOCKS = 64;

    private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

    GroupTurns() {
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock(true);
        }
    }

    <T> T take(String group, Supplier<T> call) {
        ReentrantLock lock = lock(group);
        lock.lock();
        try {
            return call.get();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The same, if its turn comes in time.
     *
     * @param deadline as {@link System#nanoTime()} tells it
     */
    <T> Optional<T> take(String group, long deadline, Supplier<T> call) {
        ReentrantLock lock = lock(group);
        try {
            if (!lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a claim", e);
        }
        try {
            return Optional.of(call.get());
        } finally {
            lock.unlock();
        }
    }

    private ReentrantLock lock(String group) {
        return locks[Math.floorMod(group.hashCode(), LOCKS)];
    }
}
