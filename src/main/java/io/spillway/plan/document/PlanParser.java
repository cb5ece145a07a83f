package io.spillway.plan.document;

import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a plan and the plans nested in it, and counts their steps together. One for each request;
 * recursion goes as deep as plans stand in each other, which the depth of the JSON bounds.
 */
final class PlanParser {

    private final PlanLimits limits;
    private final FromParser from;
    private final StepParser step;
    private int steps;

    PlanParser(PlanLimits limits) {
        this.limits = limits;
        this.from = new FromParser(limits);
        this.step = new StepParser(limits, this);
    }

    /** Reads {@code {"from": {…}, "steps": […]}}. */
    PlanDocument parse(JsonValue value, Place place) {
        Fields plan = Fields.of(value, place).only("from", "steps");
        From source = from.parse(plan.required("from"), plan.place("from"));
        JsonValue written = plan.optional("steps");
        return new PlanDocument(
                source, written == null ? List.of() : steps(written, plan.place("steps")));
    }

    /** Reads plans that stand in another one. */
    List<Step.Union.Input> nested(JsonValue value, Place place) {
        List<JsonValue> items = Fields.array(value, place);
        if (items.isEmpty()) {
            throw place.invalid("At least one plan must be there");
        }
        count(items.size(), "and nested plans ", place);
        List<Step.Union.Input> plans = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Place item = place.item(i);
            plans.add(new Step.Union.Input(parse(items.get(i), item), item.pointer()));
        }
        return plans;
    }

    /** Reads a plan that stands alone in another one. */
    PlanDocument single(JsonValue value, Place place) {
        count(1, "and nested plans ", place);
        return parse(value, place);
    }

    private List<Step> steps(JsonValue value, Place place) {
        List<JsonValue> items = Fields.array(value, place);
        count(items.size(), "", place);
        List<Step> parsed = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            parsed.add(step.parse(items.get(i), place.item(i)));
        }
        return parsed;
    }

    private void count(int more, String what, Place place) {
        steps += more;
        if (steps > limits.steps()) {
            throw PlanLimits.tooLarge(
                            "steps",
                            limits.steps(),
                            "The plan has %d steps %s".formatted(steps, what).stripTrailing())
                    .with(SpillwayException.POINTER, place.pointer());
        }
    }
}
