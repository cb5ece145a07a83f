package io.spillway.plan.document;

import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the steps of a plan. */
final class StepParser {

    private static final List<String> OPERATIONS =
            List.of(
                    "filter",
                    "select",
                    "withColumns",
                    "rename",
                    "drop",
                    "sort",
                    "limit",
                    "offset",
                    "distinct",
                    "aggregate",
                    "join",
                    "union",
                    "explode",
                    "sample",
                    "rowIndex",
                    "window",
                    "repartition");

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
            case "sort" -> new Step.Sort(texts(step.only("op", "by"), "by"), pointer);
            case "distinct" ->
                    new Step.Distinct(
                            step.only("op", "on").optional("on") == null
                                    ? List.of()
                                    : texts(step, "on"),
                            pointer);
            case "aggregate" -> aggregate(step.only("op", "by", "measures"), place);
            case "join" -> join(step.only("op", "with", "on", "type"), pointer);
            case "window" ->
                    window(step.only("op", "partitionBy", "orderBy", "frame", "columns"), pointer);
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
        return place.invalid("There is no operation '%s'".formatted(op))
                .with(SpillwayException.FOUND, op)
                .with(SpillwayException.EXPECTED, OPERATIONS)
                .with(SpillwayException.SUGGESTION, NearestName.of(op, OPERATIONS));
    }

    private Step aggregate(Fields step, Place place) {
        List<PlanText> by = perhapsTexts(step, "by");
        List<Step.NamedText> measures =
                step.optional("measures") == null ? List.of() : named(step, "measures");
        if (by.isEmpty() && measures.isEmpty()) {
            throw place.invalid("At least one key or measure must be there")
                    .with(SpillwayException.EXPECTED, List.of("by", "measures"));
        }
        return new Step.Aggregate(by, measures, place.pointer());
    }

    private Step join(Fields step, String pointer) {
        Step.JoinKind kind = kind(step);
        PlanDocument with = plans.single(step.required("with"), step.place("with"));
        JsonValue on = step.optional("on");
        if (kind == Step.JoinKind.CROSS) {
            if (on != null) {
                throw step.place("on").invalid("A cross join has no condition");
            }
            return new Step.Join(with, kind, null, List.of(), pointer);
        }
        return step.required("on") instanceof JsonValue.Arr
                ? new Step.Join(with, kind, null, texts(step, "on"), pointer)
                : new Step.Join(with, kind, condition(step), List.of(), pointer);
    }

    private static PlanText condition(Fields step) {
        Place place = step.place("on");
        if (step.required("on") instanceof JsonValue.Str(var text)) {
            return place.text(text);
        }
        throw Fields.wrongType(
                step.required("on"), place, "a condition", "an array of names of columns");
    }

    private static Step.JoinKind kind(Fields step) {
        if (step.optional("type") == null) {
            return Step.JoinKind.INNER;
        }
        String type = step.requiredString("type");
        List<String> names = new ArrayList<>();
        for (Step.JoinKind kind : Step.JoinKind.values()) {
            String name = kind.name().toLowerCase(Locale.ROOT);
            if (name.equals(type)) {
                return kind;
            }
            names.add(name);
        }
        throw step.place("type")
                .invalid("There is no type of join '%s'".formatted(type))
                .with(SpillwayException.FOUND, type)
                .with(SpillwayException.EXPECTED, names)
                .with(SpillwayException.SUGGESTION, NearestName.of(type, names));
    }

    private Step window(Fields step, String pointer) {
        return new Step.Window(
                perhapsTexts(step, "partitionBy"),
                perhapsTexts(step, "orderBy"),
                step.optional("frame") == null ? null : text(step, "frame"),
                named(step, "columns"),
                pointer);
    }

    /** An array of strings, which may be empty or not be there. */
    private List<PlanText> perhapsTexts(Fields step, String field) {
        JsonValue value = step.optional(field);
        return value == null || Fields.array(value, step.place(field)).isEmpty()
                ? List.of()
                : texts(step, field);
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
    static double fraction(JsonValue value, Place place) {
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
