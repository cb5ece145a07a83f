package io.spillway.plan.document;

/**
 * A text of a plan (an expression, a name) and where it stands, so that an error that a later stage
 * finds in it can say so.
 *
 * @param text as written
 * @param pointer JSON Pointer (RFC 6901) into the request body
 */
public record PlanText(String text, String pointer) {}
