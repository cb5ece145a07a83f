package io.spillway.delivery;

/** How many rows a second were delivered lately: an average that forgets within some seconds. */
final class Rate {

    private static final double MEMORY_NANOS = 5e9;
    private static final double NANOS_A_SECOND = 1e9;
    private static final double NOTHING = 0.01;

    private double rate;
    private long pending;
    private long at;

    Rate(long nowNanos) {
        this.at = nowNanos;
    }

    void add(long rows) {
        pending += rows;
    }

    /** As it is now. */
    double at(long nowNanos) {
        double passed = nowNanos - at;
        if (passed <= 0) {
            return rate;
        }
        double kept = Math.exp(-passed / MEMORY_NANOS);
        rate = rate * kept + pending / passed * NANOS_A_SECOND * (1 - kept);
        if (rate < NOTHING) {
            rate = 0;
        }
        pending = 0;
        at = nowNanos;
        return rate;
    }
}
