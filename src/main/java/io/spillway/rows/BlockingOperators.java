package io.spillway.rows;

import io.spillway.operator.BlockingOperator;
import io.spillway.operator.aggregate.AggregateOperator;
import io.spillway.operator.aggregate.DistinctOperator;
import io.spillway.operator.join.JoinOperator;
import io.spillway.operator.sort.SortOperator;
import io.spillway.operator.window.WindowOperator;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps of a plan that must see their whole input, as operators. */
final class BlockingOperators {

    private BlockingOperators() {}

    /** The operator of a step; null for a step that does not block. */
    static @Nullable BlockingOperator of(PhysicalPlan step) {
        return switch (step) {
            case PhysicalPlan.Sort sort ->
                    new SortOperator(sort.keys(), sort.rows(), sort.schema());
            case PhysicalPlan.Aggregate groups ->
                    new AggregateOperator(
                            groups.input().schema(),
                            groups.keys(),
                            groups.calls(),
                            groups.schema());
            case PhysicalPlan.Join join ->
                    new JoinOperator(
                            join.type(),
                            join.keys(),
                            join.condition(),
                            join.left().schema(),
                            join.right().schema(),
                            join.schema());
            case PhysicalPlan.Distinct distinct ->
                    new DistinctOperator(distinct.schema(), distinct.keys());
            case PhysicalPlan.Window window ->
                    new WindowOperator(
                            window.input().schema(),
                            window.partition(),
                            window.order(),
                            window.calls(),
                            window.schema());
            case PhysicalPlan.Scan _,
                    PhysicalPlan.Values _,
                    PhysicalPlan.Filter _,
                    PhysicalPlan.Project _,
                    PhysicalPlan.Limit _,
                    PhysicalPlan.Union _,
                    PhysicalPlan.Explode _,
                    PhysicalPlan.SampleFraction _,
                    PhysicalPlan.SampleRows _,
                    PhysicalPlan.RowNumbers _,
                    PhysicalPlan.Repartition _ ->
                    null;
        };
    }

    /** What plans call a step that has an operator. */
    static String name(PhysicalPlan step) {
        return switch (step) {
            case PhysicalPlan.Sort _ -> "sort";
            case PhysicalPlan.Aggregate _ -> "aggregate";
            case PhysicalPlan.Join _ -> "join";
            case PhysicalPlan.Distinct _ -> "distinct";
            case PhysicalPlan.Window _ -> "window";
            case PhysicalPlan.Scan _,
                    PhysicalPlan.Values _,
                    PhysicalPlan.Filter _,
                    PhysicalPlan.Project _,
                    PhysicalPlan.Limit _,
                    PhysicalPlan.Union _,
                    PhysicalPlan.Explode _,
                    PhysicalPlan.SampleFraction _,
                    PhysicalPlan.SampleRows _,
                    PhysicalPlan.RowNumbers _,
                    PhysicalPlan.Repartition _ ->
                    throw new IllegalArgumentException("does not block: " + step.getClass());
        };
    }

    /** The blocking steps of a plan that have no other one above, from left to right. */
    static List<PhysicalPlan> topmost(PhysicalPlan plan) {
        List<PhysicalPlan> found = new ArrayList<>();
        collect(plan, false, found);
        return found;
    }

    private static void collect(PhysicalPlan plan, boolean below, List<PhysicalPlan> into) {
        boolean blocks = of(plan) != null;
        if (blocks && !below) {
            into.add(plan);
        }
        plan.inputs().forEach(input -> collect(input, below || blocks, into));
    }
}
