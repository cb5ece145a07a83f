package io.spillway.plan.document;

/** Where a split is to be divided in two. */
public sealed interface DivideRequest {

    /** Before one of its rows, counted from 0. */
    record AtRow(long row) implements DivideRequest {}

    /** So that the first part has about so much of it; between 0 and 1. */
    record AtFraction(double fraction) implements DivideRequest {}
}
