package io.spillway.plan.logical;

/**
 * What the optimiser may do. Every rule but {@link #JOIN_ORDER} keeps the rows and their order, and
 * may only make fewer values be computed, so that a plan means the same with any of them on or off.
 * None moves anything across a limit, a sample, a row index, an explode or a repartition but the
 * choice of columns.
 */
public enum OptimizerRule {
    /** Two filters in a row become one; the earlier predicate still guards the later one. */
    FILTER_MERGE,
    /** A filter goes below the projection that computes what it asks for. */
    FILTER_BELOW_PROJECT,
    /** A filter goes into each input of the union below it. */
    FILTER_BELOW_UNION,
    /** What is said of a sort's rows is tested before it, unless it may raise an error. */
    FILTER_BELOW_SORT,
    /**
     * What is said of the keys of a distinct, of groups or of a window's partitions is tested
     * before them, unless it may raise an error.
     */
    FILTER_BELOW_GROUPS,
    /**
     * What is said of one side of a join is tested there, where that leaves the same rows and
     * raises no error; an outer join whose unmatched rows a filter throws away is a narrower one.
     */
    FILTER_BELOW_JOIN,
    /** Two projections in a row become one, unless that would compute much more. */
    PROJECT_MERGE,
    /** A projection that changes nothing goes away. */
    PROJECT_REMOVE,
    /** Two limits in a row become one. */
    LIMIT_MERGE,
    /** A sort below a limit need not give more rows than the limit takes. */
    TOP_N,
    /**
     * Conditions of a filter become those of the inner joins below it. The only rule that may
     * change the order of rows: that of a query's tables, which are joined by their keys, the
     * largest table first.
     */
    JOIN_ORDER,
    /** Columns that nobody asks for are neither computed nor read. */
    COLUMN_PRUNING
}
