package io.spillway.operator.join;

/** Which rows of two inputs come out of a join. */
public enum JoinType {
    /** Pairs that match. */
    INNER,
    /** Pairs that match, and left rows without a match, with nulls on the right. */
    LEFT,
    /** Pairs that match, and at the end right rows without a match, with nulls on the left. */
    RIGHT,
    /** Pairs that match, and rows of both sides without a match. */
    FULL,
    /** Left rows that have a match, once each; no right columns. */
    SEMI,
    /** Left rows that have no match; no right columns. */
    ANTI;

    /** Whether right columns come out. */
    public boolean hasRight() {
        return this != SEMI && this != ANTI;
    }

    /** Whether left rows without a match come out of a join that has right columns. */
    public boolean keepsLeft() {
        return this == LEFT || this == FULL;
    }

    /** Whether right rows without a match come out. */
    public boolean keepsRight() {
        return this == RIGHT || this == FULL;
    }
}
