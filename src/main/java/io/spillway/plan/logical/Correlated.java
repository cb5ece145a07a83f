package io.spillway.plan.logical;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * A query that depends on the rows around it, if at all, by conditions at its top alone, which are
 * taken off here.
 *
 * @param input the query without them
 * @param columns its columns, over the input's
 * @param conditions over the input's columns and the rows around it
 */
record Correlated(RelNode input, List<RexNode> columns, List<RexNode> conditions) {

    /**
     * Takes a query apart; null if it depends on the rows around it in another way.
     *
     * @param outer what stands for the rows around it
     */
    static @Nullable Correlated of(RelNode query, Set<CorrelationId> outer) {
        RelNode node = query;
        while (node instanceof Sort sort && sort.offset == null && sort.fetch == null) {
            // Nobody sees in which order the rows were looked at.
            node = sort.getInput();
        }
        List<RexNode> columns = new ArrayList<>();
        if (node instanceof Project project && !project.containsOver()) {
            columns.addAll(project.getProjects());
            node = project.getInput();
        } else {
            for (int column : Algebra.allColumns(node)) {
                columns.add(RexInputRef.of(column, node.getRowType()));
            }
        }
        List<RexNode> conditions = new ArrayList<>();
        RelNode input = node;
        if (node instanceof Filter filter) {
            List<RexNode> own = new ArrayList<>();
            for (RexNode conjunct : Algebra.conjuncts(filter.getCondition())) {
                boolean alone =
                        RelOptUtil.getVariablesUsed(
                                        filter.copy(
                                                filter.getTraitSet(), filter.getInput(), conjunct))
                                .isEmpty();
                (alone ? own : conditions).add(conjunct);
            }
            input =
                    own.isEmpty()
                            ? filter.getInput()
                            : filter.copy(
                                    filter.getTraitSet(),
                                    filter.getInput(),
                                    Algebra.and(filter.getCluster(), own));
        }
        boolean deeper = !RelOptUtil.getVariablesUsed(input).isEmpty();
        boolean readable =
                columns.stream().noneMatch(RexUtil::containsCorrelation)
                        && columns.stream().allMatch(Correlated::alone)
                        && conditions.stream().allMatch(c -> alone(c) && onlyOf(c, outer));
        return deeper || !readable ? null : new Correlated(input, columns, conditions);
    }

    private static boolean alone(RexNode expression) {
        return RexUtil.SubQueryFinder.find(expression) == null && !RexOver.containsOver(expression);
    }

    private static boolean onlyOf(RexNode condition, Set<CorrelationId> outer) {
        boolean[] all = {true};
        condition.accept(
                new RexShuttle() {
                    @Override
                    public RexNode visitCorrelVariable(RexCorrelVariable variable) {
                        all[0] &= outer.contains(variable.id);
                        return variable;
                    }
                });
        return all[0];
    }

    /** A condition about pairs of a row around and one of the input. */
    RexNode joined(RexNode condition, RelDataType around) {
        int width = around.getFieldCount();
        return condition.accept(
                new RexShuttle() {
                    @Override
                    public RexNode visitFieldAccess(RexFieldAccess access) {
                        return access.getReferenceExpr() instanceof RexCorrelVariable
                                ? RexInputRef.of(access.getField().getIndex(), around)
                                : super.visitFieldAccess(access);
                    }

                    @Override
                    public RexNode visitInputRef(RexInputRef reference) {
                        return new RexInputRef(reference.getIndex() + width, reference.getType());
                    }
                });
    }
}
