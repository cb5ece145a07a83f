package io.spillway.delivery;

import io.spillway.delivery.http.Pace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When the next request of a delivery may begin: at its pace, and not while its endpoint is left
 * alone or its rows cannot be read. Times are {@link System#nanoTime}; belongs to one thread.
 */
final class Permits {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int MOST_DOUBLINGS = 6;

    private final @Nullable Pace pace;
    private long notBefore = System.nanoTime();
    private boolean placed;
    private int pauses;

    Permits(@Nullable Double requestsPerSecond) {
        this.pace = requestsPerSecond == null ? null : new Pace(requestsPerSecond);
    }

    /** How long to wait for the next request; zero or less if it may begin. */
    Duration untilNext(long now) {
        if (pace != null && !placed) {
            placed = true;
            notBefore(now + pace.take(now).toNanos());
        }
        return Duration.ofNanos(notBefore - now);
    }

    /** A request begins. */
    void taken() {
        placed = false;
    }

    private void notBefore(long time) {
        if (time - notBefore > 0) {
            notBefore = time;
        }
    }

    /** The endpoint is to be left alone for a while. */
    void pause(Duration time, long now) {
        notBefore(now + time.toNanos());
    }

    /**
     * Rows could not be read: they are asked for again, later each time.
     *
     * @return how often that was in a row
     */
    int unreadable(long now) {
        pause(FIRST_PAUSE.multipliedBy(1L << Math.min(pauses, MOST_DOUBLINGS)), now);
        return ++pauses;
    }

    /** Rows could be read. */
    void readable() {
        pauses = 0;
    }
}
