package io.spillway.benchmark;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a figure must be, and what it should be.
 *
 * @param direction on which side of both it must lie
 * @param floor that it must keep
 * @param goal that it should reach, or null
 */
record Target(Direction direction, double floor, @Nullable Double goal) {

    /** On which side of a limit the good figures are. */
    enum Direction {
        AT_LEAST("≥"),
        AT_MOST("≤");

        private final String sign;

        Direction(String sign) {
            this.sign = sign;
        }
    }

    static Target atLeast(double floor, double goal) {
        return new Target(Direction.AT_LEAST, floor, goal);
    }

    static Target atLeast(double floor) {
        return new Target(Direction.AT_LEAST, floor, null);
    }

    static Target atMost(double floor, double goal) {
        return new Target(Direction.AT_MOST, floor, goal);
    }

    static Target atMost(double floor) {
        return new Target(Direction.AT_MOST, floor, null);
    }

    boolean holds(double value) {
        return switch (direction) {
            case AT_LEAST -> value >= floor;
            case AT_MOST -> value <= floor;
        };
    }

    /** The floor as it stands in the table. */
    String mustBe() {
        return direction.sign + " " + number(floor);
    }

    /** The goal as it stands in the table. */
    String shouldBe() {
        return goal == null ? "" : number(goal);
    }

    /** As many digits as say something. */
    static String number(double value) {
        String format =
                value >= 100 || value == Math.rint(value) ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
