package io.spillway.scan.pruning;

/** What is known of columns over some rows. */
@FunctionalInterface
public interface ColumnFacts {

    /** Nothing is known. */
    ColumnFacts NONE = _ -> ValueSet.anything();

    /** What the column at a position may hold, in the kind of {@link Scalar} of its type. */
    ValueSet of(int column);
}
