package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.spillway.job.Job;
import io.spillway.plan.physical.Explain;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.PhysicalPlans;
import io.spillway.rows.RowSource;
import io.spillway.rows.RowSources;

/**
 * How a plan is understood and run.
 *
 * @param logical the validated plan, as text
 * @param optimized the optimised plan, as text
 * @param physical what is executed, as text
 * @param partitions partitions that a full stream reads
 * @param physicalPlan what is executed, as JSON
 */
record PlanExplanation(
        String logical,
        String optimized,
        String physical,
        int partitions,
        @JsonRawValue String physicalPlan) {

    static PlanExplanation of(Job job) {
        return of(job.logicalPlan(), job.optimizedPlan(), job.plan(), RowSources.of(job.plan()));
    }

    static PlanExplanation of(
            String logical, String optimized, PhysicalPlan plan, RowSource source) {
        return new PlanExplanation(
                logical,
                optimized,
                Explain.text(plan),
                source.partitions(),
                PhysicalPlans.toJson(plan));
    }
}
