package io.spillway.operator.join;

/** What a {@link Probe} gives of a left row. */
enum Emit {
    /** A pair for each match. */
    PAIRS,
    /** A pair for each match; without one, the row with nulls on the right. */
    PAIRS_OR_NULLS,
    /** The row itself, if it has a match. */
    MATCHED,
    /** The row itself, if it has no match. */
    UNMATCHED;

    static Emit of(JoinType type) {
        return switch (type) {
            case INNER, RIGHT -> PAIRS;
            case LEFT, FULL -> PAIRS_OR_NULLS;
            case SEMI -> MATCHED;
            case ANTI -> UNMATCHED;
        };
    }

    /** Whether all matches of a row matter, or only whether there is any. */
    boolean wantsPairs() {
        return this == PAIRS || this == PAIRS_OR_NULLS;
    }
}
