package io.spillway.plan.logical;

import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.SubQueryRemoveRule;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Makes joins of the queries in expressions. Those that ask whether there is a row become semi
 * joins and anti joins ({@link SemiJoins}); for all others Calcite knows what to do, and takes
 * correlations apart.
 */
final class SubQueries {

    private static final RelBuilder.Config CONFIG = QueryConverter.plain(RelBuilder.Config.DEFAULT);

    private static final RelBuilderFactory BUILDERS = RelBuilder.proto(Contexts.of(CONFIG));

    private static final HepProgram PROGRAM =
            HepProgram.builder()
                    .addRuleCollection(
                            Stream.of(
                                            CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
                                            CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
                                            CoreRules.JOIN_SUB_QUERY_TO_CORRELATE)
                                    .map(SubQueries::plain)
                                    .toList())
                    .build();

    private SubQueries() {}

    private static RelOptRule plain(RelOptRule rule) {
        return ((SubQueryRemoveRule) rule)
                .config
                .withRelBuilderFactory(BUILDERS)
                .as(SubQueryRemoveRule.Config.class)
                .toRule();
    }

    /** The same rows without queries in expressions. */
    static RelNode removed(RelNode root) {
        RelNode node = SemiJoins.of(root);
        if (!SemiJoins.anyLeft(node)) {
            return node;
        }
        HepPlanner planner = new HepPlanner(PROGRAM);
        planner.setRoot(node);
        return decorrelated(planner.findBestExp());
    }

    /**
     * The same rows without correlations, taken apart one after the other: of the rows of an outer
     * join that one has become, Calcite concludes that their keys are not null, which is true of
     * inner joins only, so it does not see them.
     */
    private static RelNode decorrelated(RelNode root) {
        RelNode oneEach =
                root.accept(
                        new RelHomogeneousShuttle() {
                            @Override
                            public RelNode visit(LogicalCorrelate correlate) {
                                return canSeal(correlate.getLeft())
                                        ? sealed(correlate)
                                        : super.visit(correlate);
                            }
                        });
        return SealedRows.opened(
                RelDecorrelator.decorrelateQuery(
                        oneEach, BUILDERS.create(root.getCluster(), null)));
    }

    /** Whether rows come of a correlation, and depend on no other one. */
    private static boolean canSeal(RelNode rows) {
        return SemiJoins.anyLeft(rows) && RelOptUtil.getVariablesUsed(rows).isEmpty();
    }

    private static RelNode sealed(LogicalCorrelate correlate) {
        RelNode left = new SealedRows(decorrelated(correlate.getLeft()));
        return correlate.copy(correlate.getTraitSet(), List.of(left, correlate.getRight()));
    }
}
