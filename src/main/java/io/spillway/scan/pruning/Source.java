package io.spillway.scan.pruning;

/** A part of a condition that has a value. Immutable. */
@FunctionalInterface
interface Source {

    ValueSet of(ColumnFacts facts);
}
