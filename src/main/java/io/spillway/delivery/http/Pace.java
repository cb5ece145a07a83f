package io.spillway.delivery.http;

import java.time.Duration;

/** Spaces the requests of one delivery evenly. Safe for use by several threads; blocks none. */
public final class Pace {

    private static final double LONGEST_NANOS = 1e18;

    private final long intervalNanos;
    private long nextNanos;
    private boolean started;

    /**
     * @param requestsPerSecond positive
     */
    public Pace(double requestsPerSecond) {
        this.intervalNanos = (long) Math.min(LONGEST_NANOS, 1e9 / requestsPerSecond);
    }

    /**
     * Takes the next place in time.
     *
     * @param nowNanos by {@link System#nanoTime}
     * @return how long to wait before the request may go; zero for at once
     */
    public synchronized Duration take(long nowNanos) {
        long at = !started || nextNanos - nowNanos < 0 ? nowNanos : nextNanos;
        started = true;
        nextNanos = at + intervalNanos;
        return Duration.ofNanos(at - nowNanos);
    }
}
