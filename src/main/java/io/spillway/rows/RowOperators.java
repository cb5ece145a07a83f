package io.spillway.rows;

import io.spillway.operator.ExplodeOperator;
import io.spillway.operator.FilterOperator;
import io.spillway.operator.Operator;
import io.spillway.operator.ProjectOperator;
import io.spillway.operator.RowNumbersOperator;
import io.spillway.operator.SampleFractionOperator;
import io.spillway.plan.physical.PhysicalPlan;

/** The steps of a plan that work on each batch by itself, as operators. */
final class RowOperators {

    private RowOperators() {}

    static Operator of(PhysicalPlan.Filter filter) {
        return new FilterOperator(filter.predicate(), filter.schema());
    }

    static Operator of(PhysicalPlan.Project project) {
        return new ProjectOperator(
                project.expressions(), project.input().schema(), project.schema());
    }

    static Operator of(PhysicalPlan.Explode explode) {
        return new ExplodeOperator(
                explode.column(), explode.outer(), explode.input().schema(), explode.schema());
    }

    static Operator of(PhysicalPlan.SampleFraction sample) {
        return new SampleFractionOperator(sample.fraction(), sample.seed(), sample.schema());
    }

    static Operator of(PhysicalPlan.RowNumbers numbers) {
        return new RowNumbersOperator(numbers.start(), numbers.schema());
    }
}
