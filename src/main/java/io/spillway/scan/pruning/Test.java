package io.spillway.scan.pruning;

/** A part of a condition that has a truth value. Immutable. */
@FunctionalInterface
interface Test {

    Truths of(ColumnFacts facts);
}
