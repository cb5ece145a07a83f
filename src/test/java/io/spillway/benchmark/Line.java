package io.spillway.benchmark;

import org.jspecify.annotations.Nullable;

/**
 * A line of a table of results.
 *
 * @param label what was measured
 * @param value the figure
 * @param unit of the figure and of what it must be
 * @param detail what it was worked out from, or empty
 * @param target what it must be, or null if it is only told
 */
record Line(String label, double value, String unit, String detail, @Nullable Target target) {

    static final String HEAD =
            """
            | | measured | from | must be | goal | holds |
            |---|---:|---:|---:|---:|---|
            """;

    static Line of(String label, double value, String unit, String detail, Target target) {
        return new Line(label, value, unit, detail, target);
    }

    /** A figure that is only told. */
    static Line told(String label, double value, String unit, String detail) {
        return new Line(label, value, unit, detail, null);
    }

    /** As Markdown, without a line end. */
    String markdown() {
        String cells = "| " + label + " | " + Target.number(value) + " " + unit + " | " + detail;
        return target == null
                ? cells + " | | | |"
                : "%s | %s | %s | %s |"
                        .formatted(
                                cells,
                                target.mustBe(),
                                target.shouldBe(),
                                target.holds(value) ? "yes" : "**no**");
    }
}
