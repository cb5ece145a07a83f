package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.JobStore.IdempotencyKey;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/** Query parameters, read strictly: what is there is known, given once, and well-formed. */
final class Parameters {

    /** Of a list of resources, unless the caller says so itself. */
    private static final int LIST_ROWS = 100;

    private static final int MAX_LIST_ROWS = 1_000;

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");
    private static final Pattern QUANTITY = Pattern.compile("([0-9]{1,9})(ms|s|m)");

    private final MultiValueMap<String, String> values;

    /**
     * @throws SpillwayException {@code INVALID_PARAMETER} if there is one that is not known, or
     *     given twice
     */
    Parameters(MultiValueMap<String, String> values, Set<String> known) {
        this.values = values;
        values.forEach(
                (name, given) -> {
                    if (!known.contains(name)) {
                        throw invalid(name, "There is no parameter '" + name + "'")
                                .with(SpillwayException.EXPECTED, known.stream().sorted().toList());
                    }
                    if (given.size() > 1) {
                        throw invalid(
                                name,
                                "The parameter '" + name + "' is given " + given.size() + " times");
                    }
                });
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /**
     * The text of a parameter; the empty text if it stands there without one; null if it is not
     * there.
     */
    @Nullable String text(String name) {
        if (!values.containsKey(name)) {
            return null;
        }
        String value = values.getFirst(name);
        return value == null ? "" : value;
    }

    /** A whole number from 0 to 2^63 − 1, written in digits. */
    @Nullable Long count(String name) {
        String text = text(name);
        return text == null ? null : count(name, text);
    }

    /**
     * {@code limit} of a list of resources.
     *
     * @param what it lists, for the message
     */
    int listLimit(String what) {
        Long asked = count("limit");
        if (asked != null && (asked < 1 || asked > MAX_LIST_ROWS)) {
            throw invalid(
                            "limit",
                            "A list has 1 to %d %s, not %d".formatted(MAX_LIST_ROWS, what, asked))
                    .with(SpillwayException.LIMIT, MAX_LIST_ROWS);
        }
        return asked == null ? LIST_ROWS : asked.intValue();
    }

    /**
     * The same of a text that stands elsewhere.
     *
     * @param name what the text is called
     */
    static long count(String name, String text) {
        if (DIGITS.matcher(text).matches()) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                // Nineteen digits, but over 2^63 − 1: answered below.
            }
        }
        throw invalid(name, "'" + text + "' is not a whole number from 0 to " + Long.MAX_VALUE)
                .with(SpillwayException.FOUND, text)
                .with(SpillwayException.EXPECTED, "a whole number from 0 to " + Long.MAX_VALUE);
    }

    /**
     * How long the call may wait: {@code wait} as a number with a unit ({@code 500ms}, {@code 5s},
     * {@code 1m}) or in ISO 8601 ({@code PT5S}); the usual time if it is not there.
     */
    Duration wait(WebSettings settings) {
        String text = text("wait");
        if (text == null) {
            return settings.usualWait();
        }
        Duration wait = duration(text);
        if (wait == null || wait.isNegative()) {
            throw invalid("wait", "'" + text + "' is not a time to wait, such as 5s")
                    .with(SpillwayException.FOUND, text)
                    .with(SpillwayException.EXPECTED, "a duration such as 500ms, 5s or PT5S");
        }
        if (wait.compareTo(settings.maxWait()) > 0) {
            throw invalid("wait", "A call waits " + settings.maxWait() + " at most, not " + text)
                    .with(SpillwayException.FOUND, text)
                    .with(SpillwayException.LIMIT, settings.maxWait().toString());
        }
        return wait;
    }

    private static @Nullable Duration duration(String text) {
        Matcher quantity = QUANTITY.matcher(text);
        if (quantity.matches()) {
            long count = Long.parseLong(quantity.group(1));
            return switch (quantity.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                default -> Duration.ofMinutes(count);
            };
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** One of some words, the first one if the parameter is not there. */
    String choice(String name, String... words) {
        String text = text(name);
        if (text == null) {
            return words[0];
        }
        List<String> choices = Arrays.asList(words);
        if (!choices.contains(text)) {
            throw invalid(name, "'" + text + "' is not one of " + String.join(", ", words))
                    .with(SpillwayException.FOUND, text)
                    .with(SpillwayException.EXPECTED, choices);
        }
        return text;
    }

    static SpillwayException invalid(String name, String message) {
        return new SpillwayException(ErrorCode.INVALID_PARAMETER, message)
                .with(SpillwayException.PARAMETER, name);
    }

    /**
     * A request's Idempotency-Key, if it has one.
     *
     * @throws SpillwayException {@code INVALID_PARAMETER} if it is blank or too long
     */
    static @Nullable String idempotencyKey(@Nullable String key) {
        if (key != null && (key.isBlank() || key.length() > IdempotencyKey.MAX_LENGTH)) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            "An Idempotency-Key has 1 to %d characters, not only spaces"
                                    .formatted(IdempotencyKey.MAX_LENGTH))
                    .with(SpillwayException.PARAMETER, "Idempotency-Key");
        }
        return key;
    }
}
