package io.spillway.plan.logical;

/**
 * How large a table is that WITH names. Whoever uses it has all of it in the plan, so that its size
 * counts again each time after the first. Not thread-safe.
 */
final class CommonTable {

    private final int operators;
    private final int nodes;
    private boolean used;

    /**
     * A table that was counted once.
     *
     * @param operators that it consists of
     * @param nodes of its text
     */
    CommonTable(int operators, int nodes) {
        this.operators = operators;
        this.nodes = nodes;
    }

    /** Counts one use more. */
    void use(PlanningContext context) {
        if (used) {
            context.countOperators(operators);
            context.expressions().count(nodes);
        }
        used = true;
    }
}
