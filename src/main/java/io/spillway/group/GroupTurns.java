package io.spillway.group;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one at a time of this process ask the database for a group's row, in the order in which they
 * came, so that those who wait for it do not hold all its connections. Groups may share a turn.
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
        ReentrantLock lock = locks[Math.floorMod(group.hashCode(), LOCKS)];
        lock.lock();
        try {
            return call.get();
        } finally {
            lock.unlock();
        }
    }
}
