package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/** Query parameters, read strictly: what is there is known, given once, and well-formed. */
final class Parameters {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");

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
        if (text == null) {
            return null;
        }
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
}
