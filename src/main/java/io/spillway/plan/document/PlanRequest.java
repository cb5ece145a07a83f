package io.spillway.plan.document;

/** The body of a request that submits a plan. */
public record PlanRequest(PlanDocument plan, PlanOptions options) {}
