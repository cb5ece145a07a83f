package io.spillway.plan.logical;

import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * The rules that Calcite's planner applies until none applies any more. Most are our own, since
 * Calcite's counterparts simplify with arithmetic that wraps, take limits as ints, and build a
 * merged expression before they look at its size.
 */
final class OptimizerRules {

    private OptimizerRules() {}

    /** The planner's rule; none for what goes over the whole plan at once. */
    static Stream<RelOptRule> of(OptimizerRule rule, Inlining inlining) {
        return switch (rule) {
            case FILTER_MERGE -> Stream.of(new FilterMerge());
            case FILTER_BELOW_PROJECT -> Stream.of(new FilterBelowProject(inlining));
            case FILTER_BELOW_UNION -> Stream.of(new FilterBelowUnion());
            case PROJECT_MERGE -> Stream.of(new ProjectMerge(inlining));
            case PROJECT_REMOVE -> Stream.of(CoreRules.PROJECT_REMOVE);
            case LIMIT_MERGE -> Stream.of(new LimitMerge());
            case TOP_N -> Stream.of(new TopN(), new TopNBelowProject());
            case FILTER_BELOW_SORT -> FilterRules.belowSort();
            case FILTER_BELOW_GROUPS -> FilterRules.belowGroups();
            case FILTER_BELOW_JOIN -> Stream.of(new JoinFilters.Rule());
            case JOIN_ORDER, COLUMN_PRUNING -> Stream.empty();
        };
    }

    /** The lower predicate comes first in the AND, so that it goes on guarding the upper one. */
    private static final class FilterMerge extends PairRule<LogicalFilter, LogicalFilter> {

        FilterMerge() {
            super(OptimizerRule.FILTER_MERGE, LogicalFilter.class, LogicalFilter.class);
        }

        @Override
        @Nullable RelNode replace(LogicalFilter upper, LogicalFilter lower) {
            return Algebra.filter(
                    lower.getInput(),
                    RexUtil.composeConjunction(
                            upper.getCluster().getRexBuilder(),
                            List.of(lower.getCondition(), upper.getCondition())));
        }
    }

    private static final class FilterBelowProject extends PairRule<LogicalFilter, LogicalProject> {

        private final Inlining inlining;

        FilterBelowProject(Inlining inlining) {
            super(OptimizerRule.FILTER_BELOW_PROJECT, LogicalFilter.class, LogicalProject.class);
            this.inlining = inlining;
        }

        @Override
        @Nullable RelNode replace(LogicalFilter upper, LogicalProject lower) {
            if (!inlining.affordable(List.of(upper.getCondition()), lower)) {
                return null;
            }
            return Algebra.project(
                    Algebra.filter(
                            lower.getInput(),
                            RelOptUtil.pushPastProject(upper.getCondition(), lower)),
                    lower.getProjects(),
                    lower.getRowType().getFieldNames());
        }
    }

    /**
     * Each row of an input meets the same predicate as before, in the same order, and raises the
     * same errors. Columns have one type in all inputs; only that it can be null is perhaps not so
     * in one of them.
     */
    private static final class FilterBelowUnion extends PairRule<LogicalFilter, UnionNode> {

        FilterBelowUnion() {
            super(OptimizerRule.FILTER_BELOW_UNION, LogicalFilter.class, UnionNode.class);
        }

        @Override
        @Nullable RelNode replace(LogicalFilter upper, UnionNode lower) {
            return UnionNode.create(
                    lower.getInputs().stream()
                            .map(input -> Algebra.filter(input, over(input, upper.getCondition())))
                            .toList());
        }

        private static RexNode over(RelNode input, RexNode condition) {
            return condition.accept(
                    new RexShuttle() {
                        @Override
                        public RexNode visitInputRef(RexInputRef reference) {
                            return RexInputRef.of(reference.getIndex(), input.getRowType());
                        }
                    });
        }
    }

    private static final class ProjectMerge extends PairRule<LogicalProject, LogicalProject> {

        private final Inlining inlining;

        ProjectMerge(Inlining inlining) {
            super(OptimizerRule.PROJECT_MERGE, LogicalProject.class, LogicalProject.class);
            this.inlining = inlining;
        }

        @Override
        @Nullable RelNode replace(LogicalProject upper, LogicalProject lower) {
            if (!inlining.affordable(upper.getProjects(), lower)) {
                return null;
            }
            return Algebra.project(
                    lower.getInput(),
                    RelOptUtil.pushPastProject(upper.getProjects(), lower),
                    upper.getRowType().getFieldNames());
        }
    }

    /**
     * With the lower limit's rows {@code [o, o + n)} and the upper one's {@code [p, p + m)} of
     * these, what comes out are {@code min(m, n − p)} rows from {@code o + p} on; beyond 2^63 − 1
     * there are none.
     */
    private static final class LimitMerge extends PairRule<LogicalSort, LogicalSort> {

        LimitMerge() {
            super(OptimizerRule.LIMIT_MERGE, LogicalSort.class, LogicalSort.class);
        }

        @Override
        @Nullable RelNode replace(LogicalSort upper, LogicalSort lower) {
            if (!Algebra.isLimit(upper) || !Algebra.isLimit(lower)) {
                return null;
            }
            long skipped = Algebra.offset(upper);
            long below = Algebra.rows(lower);
            long left = below == Algebra.ALL_ROWS ? below : Math.max(0, below - skipped);
            long rows = Math.min(Algebra.rows(upper), left);
            long offset = Algebra.offset(lower) + skipped;
            return offset < 0
                    ? Algebra.limit(lower.getInput(), 0, 0)
                    : Algebra.limit(lower.getInput(), offset, rows);
        }
    }

    private static final class TopN extends PairRule<LogicalSort, SortNode> {

        TopN() {
            super(OptimizerRule.TOP_N, LogicalSort.class, SortNode.class);
        }

        @Override
        @Nullable RelNode replace(LogicalSort upper, SortNode lower) {
            SortNode first = first(lower, upper);
            return first == null
                    ? null
                    : Algebra.limit(first, Algebra.offset(upper), Algebra.rows(upper));
        }

        /** The sort with the rows that a limit takes, or null if it gives no more already. */
        static @Nullable SortNode first(SortNode sort, LogicalSort limit) {
            long rows = Algebra.rows(limit);
            long most = rows + Algebra.offset(limit);
            boolean all = !Algebra.isLimit(limit) || rows == Algebra.ALL_ROWS || most < 0;
            return all || sort.rows() <= most
                    ? null
                    : SortNode.create(sort.getInput(), sort.keys(), most);
        }
    }

    /** The projection that drops the keys of a sort stands between it and the limit. */
    private static final class TopNBelowProject extends PairRule<LogicalSort, LogicalProject> {

        TopNBelowProject() {
            super(OptimizerRule.TOP_N, LogicalSort.class, LogicalProject.class);
        }

        @Override
        @Nullable RelNode replace(LogicalSort upper, LogicalProject lower) {
            SortNode first =
                    lower.getInput().stripped() instanceof SortNode sort
                            ? TopN.first(sort, upper)
                            : null;
            return first == null
                    ? null
                    : Algebra.limit(
                            Algebra.project(
                                    first, lower.getProjects(), lower.getRowType().getFieldNames()),
                            Algebra.offset(upper),
                            Algebra.rows(upper));
        }
    }
}
