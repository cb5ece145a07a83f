package io.spillway.delivery.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After} (RFC 9110, section 10.2.3): seconds, or a date. */
public final class RetryAfter {

    private static final int MOST_DIGITS = 18;

    private RetryAfter() {}

    /**
     * How long the endpoint wants to be left alone.
     *
     * @param now what a date is counted from
     * @return null where there is no header, or where it asks for no wait or makes no sense
     */
    public static @Nullable Duration parse(@Nullable String header, Instant now) {
        if (header == null) {
            return null;
        }
        String text = header.strip();
        Duration wait = isNumber(text) ? seconds(text) : until(text, now);
        return wait != null && wait.isPositive() ? wait : null;
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Duration seconds(String digits) {
        String significant = digits.length() > MOST_DIGITS ? "9".repeat(MOST_DIGITS) : digits;
        return Duration.ofSeconds(Long.parseLong(significant));
    }

    private static @Nullable Duration until(String date, Instant now) {
        try {
            return Duration.between(
                    now,
                    ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
        } catch (DateTimeException e) {
            return null;
        }
    }
}
