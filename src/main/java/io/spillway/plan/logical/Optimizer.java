package io.spillway.plan.logical;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;

/**
 * Makes a plan cheaper by a few rules, none of which changes rows or their order ({@link
 * OptimizerRule}). Nothing is folded or simplified: Calcite would do so with arithmetic that wraps.
 * Thread-safe.
 */
final class Optimizer {

    private final Set<OptimizerRule> rules;
    private final Inlining inlining;

    /**
     * An optimiser.
     *
     * @param rules what it may do
     * @param maxDepth how deep an expression may become by being put together from others
     */
    Optimizer(Set<OptimizerRule> rules, int maxDepth) {
        this.rules = EnumSet.noneOf(OptimizerRule.class);
        this.rules.addAll(rules);
        this.inlining = new Inlining(maxDepth);
    }

    /** An equivalent plan with the same columns. */
    LogicalPlan optimize(LogicalPlan plan) {
        RelNode root = rewritten(plan.root());
        if (rules.contains(OptimizerRule.JOIN_ORDER) && joins(root)) {
            root = rewritten(JoinOrder.of(root));
        }
        if (rules.contains(OptimizerRule.COLUMN_PRUNING)) {
            root = ColumnPruning.prune(root);
        }
        LogicalPlan optimized =
                new LogicalPlan(named(root, plan.root().getRowType().getFieldNames()));
        if (!optimized.schema().equals(plan.schema())) {
            throw new IllegalStateException(
                    "The optimiser made %s of %s".formatted(optimized.schema(), plan.schema()));
        }
        return optimized;
    }

    private RelNode rewritten(RelNode root) {
        HepPlanner planner =
                new HepPlanner(
                        HepProgram.builder()
                                .addRuleCollection(
                                        rules.stream()
                                                .flatMap(r -> OptimizerRules.of(r, inlining))
                                                .toList())
                                .build());
        planner.setRoot(root);
        return rederived(planner.findBestExp());
    }

    private static boolean joins(RelNode node) {
        return node instanceof JoinNode || node.getInputs().stream().anyMatch(Optimizer::joins);
    }

    /**
     * The same nodes, each with the columns of the inputs that it has now: the planner replaces
     * inputs in place, by ones of other names, under nodes that have derived theirs already.
     */
    private static RelNode rederived(RelNode node) {
        if (node.getInputs().isEmpty()) {
            return node;
        }
        return node.copy(
                node.getTraitSet(), node.getInputs().stream().map(Optimizer::rederived).toList());
    }

    /** Calcite takes nodes that only differ in column names for the same: so they are put back. */
    private static RelNode named(RelNode root, List<String> names) {
        if (root.getRowType().getFieldNames().equals(names)) {
            return root;
        }
        return root instanceof Project project
                ? Algebra.project(project.getInput(), project.getProjects(), names)
                : Algebra.project(
                        root,
                        root.getCluster().getRexBuilder().identityProjects(root.getRowType()),
                        names);
    }
}
