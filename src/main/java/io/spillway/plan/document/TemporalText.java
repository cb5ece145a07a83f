package io.spillway.plan.document;

import io.spillway.batch.ColumnType.TimeUnit;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times as text, in the forms of ISO 8601 and RFC 3339 that results are written in, to
 * the counts that columns hold. Null stands for a text that is none, or that says more than the
 * type can hold: nothing is rounded.
 */
public final class TemporalText {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private TemporalText() {}

    /** {@code 2024-02-29} as days since the epoch. */
    public static @Nullable Long date(String text) {
        try {
            long days = LocalDate.parse(text).toEpochDay();
            return days == (int) days ? (Long) days : null;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** {@code 23:59}, {@code 23:59:59.999} as units since midnight. */
    public static @Nullable Long time(String text, TimeUnit unit) {
        try {
            long nanos = LocalTime.parse(text).toNanoOfDay();
            return count(nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND, unit);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /**
     * {@code 2024-02-29T23:59:59.999}, with a space for the T if one likes, or only a date for its
     * midnight, as units since the epoch.
     *
     * @param utc the type is an instant: the text may have an offset ({@code Z}, {@code +02:00}),
     *     and is UTC without one; else it must have none
     */
    public static @Nullable Long timestamp(String text, TimeUnit unit, boolean utc) {
        if (text.length() > 10 && text.charAt(10) == ' ') {
            return timestamp(text.substring(0, 10) + 'T' + text.substring(11), unit, utc);
        }
        try {
            if (text.indexOf('T') < 0) {
                return count(
                        Math.multiplyExact(LocalDate.parse(text).toEpochDay(), 86_400L), 0, unit);
            }
            Instant instant =
                    utc && hasOffset(text)
                            ? OffsetDateTime.parse(text).toInstant()
                            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
            return count(instant.getEpochSecond(), instant.getNano(), unit);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** An instant as units since the epoch, rounded down. */
    public static long instant(Instant instant, TimeUnit unit) {
        return Math.addExact(
                Math.multiplyExact(instant.getEpochSecond(), unit.perSecond()),
                instant.getNano() / (NANOS_PER_SECOND / unit.perSecond()));
    }

    private static boolean hasOffset(String text) {
        int time = text.indexOf('T');
        return text.endsWith("Z") || text.indexOf('+', time) > 0 || text.indexOf('-', time) > 0;
    }

    private static @Nullable Long count(long seconds, long nanos, TimeUnit unit) {
        long nanosPerUnit = NANOS_PER_SECOND / unit.perSecond();
        if (nanos % nanosPerUnit != 0) {
            return null;
        }
        try {
            return Math.addExact(
                    Math.multiplyExact(seconds, unit.perSecond()), nanos / nanosPerUnit);
        } catch (ArithmeticException e) {
            return null;
        }
    }
}
