package io.spillway.expression;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of dates and times in the manner of C's {@code strftime}: literal characters, and
 * fields that a percent sign announces. English names; digits as many as the field is wide, or as
 * few as can be with a hyphen behind the percent sign.
 *
 * <table>
 * <caption>Fields</caption>
 * <tr><td>Y y G</td><td>year, its last two digits, year of ISO 8601</td></tr>
 * <tr><td>m b B</td><td>month, its name in short and in full</td></tr>
 * <tr><td>d j V</td><td>day of the month and of the year, week of ISO 8601</td></tr>
 * <tr><td>a A w u</td><td>day of the week: names, 0 for Sunday to 6, 1 for Monday to 7</td></tr>
 * <tr><td>H I p M S</td><td>hour of 24 and of 12, AM or PM, minute, second</td></tr>
 * <tr><td>g f n</td><td>milliseconds, microseconds, nanoseconds of the second</td></tr>
 * <tr><td>%</td><td>a percent sign</td></tr>
 * </table>
 */
final class DatePattern {

    private static final String FIELDS = "YyGmbBdjVaAwuHIpMSgfn%";

    static final List<String> MONTHS =
            List.of(
                    "January",
                    "February",
                    "March",
                    "April",
                    "May",
                    "June",
                    "July",
                    "August",
                    "September",
                    "October",
                    "November",
                    "December");

    static final List<String> DAYS =
            List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");

    /** A part of a pattern. */
    sealed interface Part {}

    /** Characters that stand for themselves. */
    record Text(String text) implements Part {}

    /**
     * A field.
     *
     * @param letter one of those above
     * @param padded whether a number has all its digits
     */
    record Field(char letter, boolean padded) implements Part {}

    private final List<Part> parts;

    private DatePattern(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * Reads a pattern.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION} for a field that there is not
     */
    static DatePattern of(String pattern) {
        List<Part> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            if (c != '%') {
                text.append(c);
                continue;
            }
            boolean padded = !pattern.startsWith("-", at);
            at += padded ? 0 : 1;
            char letter = at < pattern.length() ? pattern.charAt(at++) : ' ';
            if (FIELDS.indexOf(letter) < 0) {
                throw new SpillwayException(
                                ErrorCode.INVALID_EXPRESSION,
                                "The pattern '%s' has no field of dates and times behind its percent sign at character %d"
                                        .formatted(pattern, at))
                        .with(SpillwayException.FOUND, pattern)
                        .with(
                                SpillwayException.EXPECTED,
                                FIELDS.chars().mapToObj(f -> "%" + (char) f).toList());
            }
            if (letter == '%') {
                text.append('%');
            } else {
                parts.add(new Text(text.toString()));
                text.setLength(0);
                parts.add(new Field(letter, padded));
            }
        }
        parts.add(new Text(text.toString()));
        return new DatePattern(parts);
    }

    /** Texts and fields, one after the other. */
    List<Part> parts() {
        return parts;
    }
}
