package io.spillway.scan.pruning;

import org.jspecify.annotations.Nullable;

/**
 * All values from one to another, both included. Its ends are bounds: nothing says that they occur.
 *
 * @param low the least value, or null if there is no bound
 * @param high the greatest value, or null if there is no bound
 */
public record Interval(@Nullable Scalar low, @Nullable Scalar high) {

    static final Interval ALL = new Interval(null, null);

    static Interval point(Scalar value) {
        return new Interval(value, value);
    }

    boolean isPoint() {
        return low != null && low.equals(high);
    }

    boolean contains(Scalar value) {
        return (low == null || low.compareTo(value) <= 0)
                && (high == null || high.compareTo(value) >= 0);
    }

    /** Whether some value here may be less than some value there. */
    boolean mayBeLess(Interval other) {
        return low == null || other.high == null || low.compareTo(other.high) < 0;
    }

    boolean overlaps(Interval other) {
        return !isBelow(other) && !other.isBelow(this);
    }

    /** Whether all values here are less than all values there. */
    boolean isBelow(Interval other) {
        return high != null && other.low != null && high.compareTo(other.low) < 0;
    }
}
