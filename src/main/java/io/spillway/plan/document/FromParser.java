package io.spillway.plan.document;

import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the {@code from} of a plan. */
final class FromParser {

    private static final List<String> KINDS = List.of("dataset", "files", "values", "sql");

    private final PlanLimits limits;
    private final ValuesParser values;

    FromParser(PlanLimits limits) {
        this.limits = limits;
        this.values = new ValuesParser(limits);
    }

    From parse(JsonValue value, Place place) {
        Fields from = Fields.of(value, place).only(KINDS.toArray(String[]::new));
        if (from.members().size() != 1) {
            throw place.invalid(
                            "Exactly one of %s must be there, not %d"
                                    .formatted(String.join(", ", KINDS), from.members().size()))
                    .with(SpillwayException.EXPECTED, KINDS);
        }
        String kind = from.members().keySet().iterator().next();
        JsonValue content = from.required(kind);
        Place inner = place.field(kind);
        return switch (kind) {
            case "dataset" -> new From.Dataset(inner.text(Fields.string(content, inner)));
            case "files" -> files(Fields.of(content, inner), inner);
            case "values" -> values.parse(content, inner);
            default -> new From.Sql(inner.text(Fields.string(content, inner)));
        };
    }

    private From files(Fields files, Place place) {
        files.only("format", "paths", "options");
        String format = files.requiredString("format");
        Place pathsPlace = files.place("paths");
        List<JsonValue> items = Fields.array(files.required("paths"), pathsPlace);
        if (items.isEmpty()) {
            throw pathsPlace.invalid("At least one path must be named");
        }
        if (items.size() > limits.paths()) {
            throw PlanLimits.tooLarge(
                            "paths", limits.paths(), "%d paths are named".formatted(items.size()))
                    .with(SpillwayException.POINTER, pathsPlace.pointer());
        }
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            paths.add(Fields.string(items.get(i), pathsPlace.item(i)));
        }
        JsonValue options = files.optional("options");
        return new From.Files(
                format,
                paths,
                options == null ? Map.of() : object(options, files.place("options")),
                place.pointer());
    }

    private static Map<String, Object> object(JsonValue value, Place place) {
        Map<String, Object> map = new LinkedHashMap<>();
        Fields.object(value, place)
                .members()
                .forEach((name, member) -> map.put(name, plain(member, place.field(name))));
        return map;
    }

    /** A value in the form that formats get their options in. */
    private static Object plain(JsonValue value, Place place) {
        return switch (value) {
            case JsonValue.Obj object -> object(object, place);
            case JsonValue.Arr(var items) -> {
                List<Object> list = new ArrayList<>();
                for (int i = 0; i < items.size(); i++) {
                    list.add(plain(items.get(i), place.item(i)));
                }
                yield list;
            }
            case JsonValue.Str(var text) -> text;
            case JsonValue.Bool(var truth) -> truth;
            case JsonValue.Num number -> {
                Long whole = number.int64();
                yield whole != null ? whole : new BigDecimal(number.text());
            }
            case JsonValue.Null() ->
                    throw Fields.wrongType(
                            value, place, "a string", "a number", "true", "false", "a list");
        };
    }
}
