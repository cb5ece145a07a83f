package io.spillway.plan.document;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An object of the body, being read: required and optional fields, and no others. */
final class Fields {

    private final Map<String, JsonValue> members;
    private final Place place;

    private Fields(Map<String, JsonValue> members, Place place) {
        this.members = members;
        this.place = place;
    }

    /** Any object; what its fields may be is to be said by {@link #only}. */
    static Fields of(JsonValue value, Place place) {
        return new Fields(object(value, place).members(), place);
    }

    /** Refuses fields other than these. */
    Fields only(String... names) {
        List<String> known = List.of(names);
        for (String name : members.keySet()) {
            if (!known.contains(name)) {
                throw place.field(name)
                        .invalid("The field '%s' is not known here".formatted(name))
                        .with(SpillwayException.FOUND, name)
                        .with(SpillwayException.EXPECTED, known)
                        .with(SpillwayException.SUGGESTION, NearestName.of(name, known));
            }
        }
        return this;
    }

    Map<String, JsonValue> members() {
        return members;
    }

    Place place(String name) {
        return place.field(name);
    }

    @Nullable JsonValue optional(String name) {
        return members.get(name);
    }

    JsonValue required(String name) {
        JsonValue value = members.get(name);
        if (value == null) {
            SpillwayException missing =
                    place.invalid("The field '%s' is missing".formatted(name))
                            .with(SpillwayException.EXPECTED, List.of(name));
            String near = NearestName.of(name, members.keySet());
            throw near == null
                    ? missing
                    : missing.with(SpillwayException.FOUND, near)
                            .with(SpillwayException.SUGGESTION, name);
        }
        return value;
    }

    String requiredString(String name) {
        return string(required(name), place(name));
    }

    static JsonValue.Obj object(JsonValue value, Place place) {
        if (value instanceof JsonValue.Obj object) {
            return object;
        }
        throw wrongType(value, place, "an object");
    }

    static List<JsonValue> array(JsonValue value, Place place) {
        if (value instanceof JsonValue.Arr(var items)) {
            return items;
        }
        throw wrongType(value, place, "an array");
    }

    static String string(JsonValue value, Place place) {
        if (value instanceof JsonValue.Str(var text)) {
            return text;
        }
        throw wrongType(value, place, "a string");
    }

    /** A whole number written as such (no fraction, no exponent) between two bounds. */
    static long integer(JsonValue value, Place place, long min, long max) {
        if (value instanceof JsonValue.Num number) {
            Long n = number.int64();
            if (n != null && n >= min && n <= max) {
                return n;
            }
        }
        throw wrongType(value, place, "an integer from %d to %d".formatted(min, max));
    }

    /** An optional field, false if it is not there. */
    boolean flag(String name) {
        JsonValue value = optional(name);
        return switch (value) {
            case null -> false;
            case JsonValue.Bool(var truth) -> truth;
            case JsonValue _ -> throw wrongType(value, place(name), "true", "false");
        };
    }

    /**
     * The name of the one field among several that is there.
     *
     * @throws SpillwayException {@code INVALID_PLAN} at the object if none is or more than one
     */
    String oneOf(String... names) {
        List<String> there = Stream.of(names).filter(members::containsKey).toList();
        if (there.size() != 1) {
            throw place.invalid(
                            "Exactly one of %s must be there, not %d"
                                    .formatted(String.join(", ", names), there.size()))
                    .with(SpillwayException.EXPECTED, List.of(names));
        }
        return there.getFirst();
    }

    static SpillwayException wrongType(JsonValue value, Place place, String... expected) {
        return wrongType(ErrorCode.INVALID_PLAN, value, place, List.of(expected));
    }

    static SpillwayException wrongType(
            ErrorCode code, JsonValue value, Place place, List<String> expected) {
        return place.error(
                        code,
                        "Expected %s, found %s"
                                .formatted(String.join(" or ", expected), value.describe()))
                .with(SpillwayException.FOUND, value.describe())
                .with(SpillwayException.EXPECTED, expected);
    }
}
