package io.spillway.plan.logical;

/**
 * A table that WITH names. Whoever uses it has all of it in the plan, so that its size counts again
 * each time after the first. Not thread-safe.
 */
final class CommonTable {

    private final Relation relation;
    private final int operators;
    private final int nodes;
    private boolean used;

    /**
     * A table that was planned and counted once.
     *
     * @param operators that it consists of
     * @param nodes of its text
     */
    CommonTable(Relation relation, int operators, int nodes) {
        this.relation = relation;
        this.operators = operators;
        this.nodes = nodes;
    }

    /** The table, one use more of which is counted. */
    Relation use(PlanningContext context) {
        if (used) {
            context.countOperators(operators);
            context.expressions().count(nodes);
        }
        used = true;
        return relation;
    }
}
