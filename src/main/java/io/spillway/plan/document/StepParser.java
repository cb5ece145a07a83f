package io.spillway.plan.document;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the steps of a plan. */
final class StepParser {

    private static final List<String> SUPPORTED =
            List.of("filter", "select", "withColumns", "rename", "drop", "limit", "offset");

    /** Operations that the interface names and this version does not have yet. */
    private static final List<String> NOT_YET =
            List.of(
                    "sort",
                    "distinct",
                    "aggregate",
                    "join",
                    "union",
                    "explode",
                    "sample",
                    "rowIndex",
                    "window",
                    "repartition");

    private final PlanLimits limits;

    StepParser(PlanLimits limits) {
        this.limits = limits;
    }

    Step parse(JsonValue value, Place place) {
        Fields step = Fields.of(value, place);
        String op = step.requiredString("op");
        String pointer = place.pointer();
        return switch (op) {
            case "filter" -> {
                step.only("op", "where");
                Place where = step.place("where");
                yield new Step.Filter(where.text(step.requiredString("where")), pointer);
            }
            case "select" -> new Step.Select(texts(step.only("op", "columns"), "columns"), pointer);
            case "drop" -> new Step.Drop(texts(step.only("op", "columns"), "columns"), pointer);
            case "withColumns" ->
                    new Step.WithColumns(named(step.only("op", "columns"), "columns"), pointer);
            case "rename" -> new Step.Rename(named(step.only("op", "columns"), "columns"), pointer);
            case "limit" -> new Step.Limit(rows(step.only("op", "rows")), pointer);
            case "offset" -> new Step.Offset(rows(step.only("op", "rows")), pointer);
            default -> throw unknown(op, step.place("op"));
        };
    }

    private static SpillwayException unknown(String op, Place place) {
        if (NOT_YET.contains(op)) {
            return place.error(
                            ErrorCode.NOT_SUPPORTED,
                            "The operation '%s' is not supported yet".formatted(op))
                    .with(SpillwayException.FOUND, op)
                    .with(SpillwayException.EXPECTED, SUPPORTED);
        }
        List<String> all = new ArrayList<>(SUPPORTED);
        all.addAll(NOT_YET);
        return place.invalid("There is no operation '%s'".formatted(op))
                .with(SpillwayException.FOUND, op)
                .with(SpillwayException.EXPECTED, SUPPORTED)
                .with(SpillwayException.SUGGESTION, NearestName.of(op, all));
    }

    private static long rows(Fields step) {
        return Fields.integer(step.required("rows"), step.place("rows"), 0, Long.MAX_VALUE);
    }

    /** A non-empty array of strings. */
    private List<PlanText> texts(Fields step, String field) {
        Place place = step.place(field);
        List<JsonValue> items = Fields.array(step.required(field), place);
        checkCount(items.size(), place);
        List<PlanText> texts = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Place item = place.item(i);
            texts.add(item.text(Fields.string(items.get(i), item)));
        }
        return texts;
    }

    /** A non-empty object whose members are strings. */
    private List<Step.NamedText> named(Fields step, String field) {
        Place place = step.place(field);
        Map<String, JsonValue> members = Fields.object(step.required(field), place).members();
        checkCount(members.size(), place);
        List<Step.NamedText> named = new ArrayList<>();
        for (Map.Entry<String, JsonValue> member : members.entrySet()) {
            Place item = place.field(member.getKey());
            named.add(
                    new Step.NamedText(
                            member.getKey(), item.text(Fields.string(member.getValue(), item))));
        }
        return named;
    }

    private void checkCount(int count, Place place) {
        if (count == 0) {
            throw place.invalid("At least one column must be named");
        }
        if (count > limits.columns()) {
            throw PlanLimits.tooLarge(
                            "columns", limits.columns(), "%d columns are named".formatted(count))
                    .with(SpillwayException.POINTER, place.pointer());
        }
    }
}
