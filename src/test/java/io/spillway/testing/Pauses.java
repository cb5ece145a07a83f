package io.spillway.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits of tests that stand for something real, such as a network's latency. */
final class Pauses {

    private Pauses() {}

    static void pause(Duration time) {
        until(System.nanoTime() + time.toNanos());
    }

    /** Waits until {@link System#nanoTime} is there. */
    static void until(long nanoTime) {
        for (long left = nanoTime - System.nanoTime();
                left > 0;
                left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
