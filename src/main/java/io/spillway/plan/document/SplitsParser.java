package io.spillway.plan.document;

import io.spillway.plan.document.SplitsRequest.Equal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads what is asked of splits. */
final class SplitsParser {

    /** Batches of more rows than that are none, and products of it and a count are numbers. */
    private static final long MOST_ALIGNED = 1L << 40;

    private SplitsParser() {}

    static SplitsRequest splits(JsonValue body) {
        Fields request =
                Fields.of(body, Place.ROOT)
                        .only("count", "targetRows", "targetBytes", "equalRows", "alignTo");
        JsonValue align = request.optional("alignTo");
        return new SplitsRequest(
                size(request),
                equal(request),
                align == null
                        ? null
                        : Fields.integer(align, request.place("alignTo"), 1, MOST_ALIGNED));
    }

    private static SplitsRequest.Size size(Fields request) {
        String name = request.oneOf("count", "targetRows", "targetBytes");
        JsonValue value = request.required(name);
        Place place = request.place(name);
        return switch (name) {
            case "count" ->
                    new SplitsRequest.Count(
                            (int) Fields.integer(value, place, 1, SplitsRequest.MOST_SPLITS));
            case "targetRows" ->
                    new SplitsRequest.TargetRows(Fields.integer(value, place, 1, Long.MAX_VALUE));
            default -> {
                long bytes = OptionsParser.bytes(value, place);
                if (bytes < 1) {
                    throw Fields.wrongType(value, place, "one byte or more");
                }
                yield new SplitsRequest.TargetBytes(bytes);
            }
        };
    }

    private static @Nullable Equal equal(Fields request) {
        JsonValue value = request.optional("equalRows");
        return switch (value) {
            case null -> null;
            case JsonValue.Bool(var truth) -> truth ? Equal.EXACT : null;
            case JsonValue.Str(var word) when isMode(word) ->
                    Equal.valueOf(word.toUpperCase(Locale.ROOT));
            case JsonValue _ ->
                    throw Fields.wrongType(
                            value,
                            request.place("equalRows"),
                            "true",
                            "false",
                            "\"exact\"",
                            "\"drop\"",
                            "\"pad\"");
        };
    }

    private static boolean isMode(String word) {
        return word.equals("exact") || word.equals("drop") || word.equals("pad");
    }

    static DivideRequest divide(JsonValue body) {
        Fields request = Fields.of(body, Place.ROOT).only("row", "fraction");
        String name = request.oneOf("row", "fraction");
        JsonValue value = request.required(name);
        Place place = request.place(name);
        return name.equals("row")
                ? new DivideRequest.AtRow(Fields.integer(value, place, 0, Long.MAX_VALUE))
                : new DivideRequest.AtFraction(StepParser.fraction(value, place));
    }
}
