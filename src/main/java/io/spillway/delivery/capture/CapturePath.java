package io.spillway.delivery.capture;

import io.spillway.error.SpillwayException;
import io.spillway.plan.document.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A path to values in a JSON document: JSONPath (RFC 9535) as far as it tells where values stand,
 * which a reader can follow as it goes: names, indices from the front, and all of them.
 *
 * <pre>
 *   $.data[*].embedding      $['data'][0]['a name']      $[*].scores.*
 * </pre>
 *
 * No filters, slices, negative indices or descendants: what they pick has no fixed place among the
 * rows.
 */
final class CapturePath {

    private static final int MOST_STEPS = 64;

    private static final Pattern STEP =
            Pattern.compile(
                    "\\.(?<name>[\\p{L}_][\\p{L}\\p{N}_]*)"
                            + "|\\.\\*|\\[\\*]"
                            + "|\\[(?<index>0|[1-9]\\d{0,8})]"
                            + "|\\['(?<single>(?:[^'\\\\]|\\\\['\\\\])*)']"
                            + "|\\[\"(?<double>(?:[^\"\\\\]|\\\\[\"\\\\])*)\"]");

    /** A step down. */
    sealed interface Step {

        /** To a field of an object. */
        record Name(String name) implements Step {}

        /** To an item of an array. */
        record Index(int index) implements Step {}

        /** To all items of an array, or all fields of an object, in their order. */
        record All() implements Step {}
    }

    /** Takes the values that are found. */
    interface Values {

        /** Reads a value that begins with a token, up to its last one. */
        void value(JsonParser parser, JsonToken first);
    }

    private final List<Step> steps;

    private CapturePath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /**
     * Reads the text of a path.
     *
     * @throws SpillwayException {@code INVALID_PLAN} with the position in the text
     */
    static CapturePath of(String text, Place place) {
        if (!text.startsWith("$")) {
            throw invalid(text, 0, place);
        }
        List<Step> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(text);
        int at = 1;
        while (at < text.length()) {
            if (!matcher.region(at, text.length()).lookingAt() || steps.size() == MOST_STEPS) {
                throw invalid(text, at, place);
            }
            steps.add(step(matcher));
            at = matcher.end();
        }
        return new CapturePath(steps);
    }

    private static Step step(Matcher matcher) {
        for (String group : List.of("name", "single", "double")) {
            String name = matcher.group(group);
            if (name != null) {
                return new Step.Name(
                        group.equals("name") ? name : name.replaceAll("\\\\(.)", "$1"));
            }
        }
        String index = matcher.group("index");
        return index == null ? new Step.All() : new Step.Index(Integer.parseInt(index));
    }

    private static SpillwayException invalid(String text, int at, Place place) {
        return place.invalid(
                        "The path is not valid at position %d: it goes down from $ by .name,"
                                        .formatted(at)
                                + " ['name'], [index], .* or [*]")
                .with(SpillwayException.POSITION, (long) at)
                .with(SpillwayException.FOUND, text)
                .with(SpillwayException.EXPECTED, "$.data[*].embedding, for instance");
    }

    /**
     * Follows the path through a value, which is read to its end. Recurses as deep as the path.
     *
     * @param first the value's first token
     */
    void find(JsonParser parser, JsonToken first, Values found) {
        find(parser, first, 0, found);
    }

    private void find(JsonParser parser, JsonToken token, int step, Values found) {
        if (step == steps.size()) {
            found.value(parser, token);
            return;
        }
        Step next = steps.get(step);
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                boolean isWanted =
                        switch (next) {
                            case Step.Name(String wanted) -> wanted.equals(name);
                            case Step.All() -> true;
                            case Step.Index _ -> false;
                        };
                findOrSkip(parser, value, step, isWanted, found);
            }
        } else if (token == JsonToken.START_ARRAY) {
            int at = 0;
            for (JsonToken item = parser.nextToken();
                    item != JsonToken.END_ARRAY;
                    item = parser.nextToken()) {
                boolean isWanted =
                        switch (next) {
                            case Step.Name _ -> false;
                            case Step.All() -> true;
                            case Step.Index(int index) -> index == at;
                        };
                findOrSkip(parser, item, step, isWanted, found);
                at++;
            }
        }
    }

    private void findOrSkip(
            JsonParser parser, JsonToken token, int step, boolean isWanted, Values found) {
        if (isWanted) {
            find(parser, token, step + 1, found);
        } else {
            parser.skipChildren();
        }
    }
}
