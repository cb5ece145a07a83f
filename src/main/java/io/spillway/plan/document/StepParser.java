package io.spillway.plan.document;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the steps of a plan. */
final class StepParser {

    private static final List<String> SUPPORTED =
            List.of(
                    "filter",
                    "select",
                    "withColumns",
                    "rename",
                    "drop",
                    "limit",
                    "offset",
                    "union",
                    "explode",
                    "sample",
                    "rowIndex",
                    "repartition");

    /** Operations that the interface names and this version does not have yet. */
    private static final List<String> NOT_YET =
            List.of("sort", "distinct", "aggregate", "join", "window");

    /** More partitions than this are asked for by their rows. */
    private static final int MAX_PARTITIONS = 100_000;

    private final PlanLimits limits;
    private final PlanParser plans;

    /**
     * @param plans reads the plans that stand in steps
     */
    StepParser(PlanLimits limits, PlanParser plans) {
        this.limits = limits;
        this.plans = plans;
    }

    Step parse(JsonValue value, Place place) {
        Fields step = Fields.of(value, place);
        String op = step.requiredString("op");
        String pointer = place.pointer();
        return switch (op) {
            case "filter" -> {
                step.only("op", "where");
                yield new Step.Filter(text(step, "where"), pointer);
            }
            case "select" -> new Step.Select(texts(step.only("op", "columns"), "columns"), pointer);
            case "drop" -> new Step.Drop(texts(step.only("op", "columns"), "columns"), pointer);
            case "withColumns" ->
                    new Step.WithColumns(named(step.only("op", "columns"), "columns"), pointer);
            case "rename" -> new Step.Rename(named(step.only("op", "columns"), "columns"), pointer);
            case "limit" -> new Step.Limit(rows(step.only("op", "rows")), pointer);
            case "offset" -> new Step.Offset(rows(step.only("op", "rows")), pointer);
            case "union" -> {
                step.only("op", "with");
                yield new Step.Union(
                        plans.nested(step.required("with"), step.place("with")), pointer);
            }
            case "explode" -> {
                step.only("op", "column", "outer");
                yield new Step.Explode(text(step, "column"), step.flag("outer"), pointer);
            }
            case "sample" -> sample(step.only("op", "fraction", "rows", "seed"), pointer);
            case "rowIndex" -> {
                step.only("op", "name", "start");
                Long start = integer(step, "start");
                yield new Step.RowIndex(text(step, "name"), start == null ? 0 : start, pointer);
            }
            case "repartition" ->
                    repartition(step.only("op", "partitions", "rowsPerPartition"), pointer);
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

    private static Step sample(Fields step, String pointer) {
        boolean byFraction = step.oneOf("fraction", "rows").equals("fraction");
        Long seed = integer(step, "seed");
        return byFraction
                ? new Step.SampleFraction(
                        fraction(step.required("fraction"), step.place("fraction")), seed, pointer)
                : new Step.SampleRows(rows(step), seed, pointer);
    }

    private static Step repartition(Fields step, String pointer) {
        String field = step.oneOf("partitions", "rowsPerPartition");
        JsonValue value = step.required(field);
        Place place = step.place(field);
        return field.equals("partitions")
                ? new Step.RepartitionInto(
                        (int) Fields.integer(value, place, 1, MAX_PARTITIONS), pointer)
                : new Step.RepartitionEvery(
                        Fields.integer(value, place, 1, Long.MAX_VALUE), pointer);
    }

    /** A number from 0 to 1, both included. */
    private static double fraction(JsonValue value, Place place) {
        if (value instanceof JsonValue.Num(var text)) {
            double fraction = Double.parseDouble(text);
            // Compared before it is rounded: what is a little over 1 is not 1.
            if (fraction >= 0
                    && fraction <= 1
                    && (fraction < 1 || new BigDecimal(text).compareTo(BigDecimal.ONE) <= 0)) {
                return fraction == 0 ? 0 : fraction;
            }
        }
        throw Fields.wrongType(value, place, "a number from 0 to 1");
    }

    private static @Nullable Long integer(Fields step, String field) {
        JsonValue value = step.optional(field);
        return value == null
                ? null
                : Fields.integer(value, step.place(field), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static long rows(Fields step) {
        return Fields.integer(step.required("rows"), step.place("rows"), 0, Long.MAX_VALUE);
    }

    private static PlanText text(Fields step, String field) {
        return step.place(field).text(step.requiredString(field));
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
