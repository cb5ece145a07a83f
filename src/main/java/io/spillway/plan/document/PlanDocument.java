package io.spillway.plan.document;

import java.util.List;

/**
 * A plan as it was written: well-formed, within its limits, and not yet looked at any closer. That
 * columns exist and expressions make sense is found out by the next stage.
 *
 * @param from where rows come from
 * @param steps what happens to them, in the order written
 */
public record PlanDocument(From from, List<Step> steps) {

    public PlanDocument {
        steps = List.copyOf(steps);
    }
}
