package io.spillway.operator.window;

/**
 * What is computed for a row from its partition. <em>Peers</em> are rows that the order of the
 * window does not tell apart; without an order all rows of a partition are peers.
 */
public enum WindowFunction {
    // By position in the partition; they look at no frame and have no argument.
    /** The row's number in its partition, from 1: int64. */
    ROW_NUMBER,
    /** The number of the first of the row's peers: int64. */
    RANK,
    /** How many groups of peers there are up to the row's: int64. */
    DENSE_RANK,
    /** (rank - 1) / (rows - 1), 0 in a partition of one row: float64. */
    PERCENT_RANK,
    /** Rows up to the last of the row's peers / rows: float64. */
    CUME_DIST,
    /**
     * The row's part, from 1, if the partition is cut into so many as equal as can be, larger ones
     * first: int64. The one parameter is how many, an int64 of at least 1.
     */
    NTILE,
    // Of another row of the partition; they look at no frame.
    /**
     * The first argument's value so many rows before; in rows that have no such row before them the
     * second argument's value in the row itself, of the same type, or null if there is only one
     * argument. The one parameter is how many, an int64 of at least 0.
     */
    LAG,
    /** The same so many rows after. */
    LEAD,
    // Of a row of the frame: one argument.
    /** The value in the frame's first row; null for an empty frame. */
    FIRST_VALUE,
    /** The value in the frame's last row; null for an empty frame. */
    LAST_VALUE,
    /**
     * The value in the frame's n-th row, null if it has none. The one parameter is n, an int64 of
     * at least 1.
     */
    NTH_VALUE,
    // Over the frame, with the types and null rules of the aggregates of these names.
    SUM,
    AVG,
    /** How many rows of the frame have no null among the arguments: int64. */
    COUNT,
    /** How many rows the frame has: int64. No argument. */
    COUNT_ROWS,
    MIN,
    MAX;

    /** Whether the frame matters. */
    public boolean usesFrame() {
        return switch (this) {
            case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE, LAG, LEAD -> false;
            case FIRST_VALUE, LAST_VALUE, NTH_VALUE, SUM, AVG, COUNT, COUNT_ROWS, MIN, MAX -> true;
        };
    }
}
