package io.spillway.plan.logical;

import java.util.stream.Stream;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
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
        RelNode removed = planner.findBestExp();
        return RelDecorrelator.decorrelateQuery(removed, BUILDERS.create(root.getCluster(), null));
    }
}
