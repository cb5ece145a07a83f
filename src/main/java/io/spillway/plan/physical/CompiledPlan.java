package io.spillway.plan.physical;

/**
 * What became of a plan.
 *
 * @param logicalText the validated plan, as a tree in text
 * @param optimizedText the optimised plan, as a tree in text
 * @param plan what is executed
 */
public record CompiledPlan(String logicalText, String optimizedText, PhysicalPlan plan) {}
