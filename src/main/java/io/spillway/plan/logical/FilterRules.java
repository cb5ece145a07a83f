package io.spillway.plan.logical;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Filters below operators that look at all rows: what is said of an order's rows may be said before
 * it, what is said of keys before groups are made of them. Only conditions that raise no error
 * move, since they are tested on rows there that nobody may ever ask for.
 */
final class FilterRules {

    private FilterRules() {}

    static Stream<RelOptRule> belowSort() {
        return Stream.of(new BelowSort());
    }

    static Stream<RelOptRule> belowGroups() {
        return Stream.of(new BelowDistinct(), new BelowAggregate(), new BelowWindow());
    }

    /**
     * The conjuncts of a filter, parted.
     *
     * @param moved go below
     * @param left stay
     */
    record Parted(List<RexNode> moved, List<RexNode> left) {

        /** Parts by what may move, of conditions that raise no error. */
        static Parted of(RexNode condition, Predicate<ImmutableBitSet> movable) {
            List<RexNode> moved = new ArrayList<>();
            List<RexNode> left = new ArrayList<>();
            for (RexNode conjunct : Algebra.conjuncts(condition)) {
                ImmutableBitSet columns = RelOptUtil.InputFinder.bits(conjunct);
                boolean moves =
                        !columns.isEmpty() && movable.test(columns) && Infallible.is(conjunct);
                (moves ? moved : left).add(conjunct);
            }
            return new Parted(moved, left);
        }

        /** An input with what moves to it. */
        RelNode below(RelNode input, IntUnaryOperator position) {
            return filtered(input, moved.stream().map(c -> over(c, input, position)).toList());
        }
    }

    /** The rows for which all conjuncts are true. */
    static RelNode filtered(RelNode input, List<RexNode> conjuncts) {
        return conjuncts.isEmpty()
                ? input
                : Algebra.filter(input, Algebra.and(input.getCluster(), conjuncts));
    }

    private static RexNode over(RexNode condition, RelNode input, IntUnaryOperator position) {
        return condition.accept(
                new RexShuttle() {
                    @Override
                    public RexNode visitInputRef(RexInputRef reference) {
                        return RexInputRef.of(
                                position.applyAsInt(reference.getIndex()), input.getRowType());
                    }
                });
    }

    /** The node over the filtered input, below what stays; null if nothing moves. */
    private static @Nullable RelNode moved(
            Parted parted, RelNode lower, IntUnaryOperator position) {
        RelNode below = parted.below(lower.getInput(0), position);
        return parted.moved.isEmpty()
                ? null
                : filtered(lower.copy(lower.getTraitSet(), List.of(below)), parted.left);
    }

    private static final class BelowSort extends PairRule<LogicalFilter, SortNode> {

        BelowSort() {
            super(OptimizerRule.FILTER_BELOW_SORT, LogicalFilter.class, SortNode.class);
        }

        @Override
        @Nullable RelNode replace(LogicalFilter upper, SortNode lower) {
            return lower.rows() == Algebra.ALL_ROWS
                    ? moved(Parted.of(upper.getCondition(), _ -> true), lower, column -> column)
                    : null;
        }
    }

    private static final class BelowDistinct extends PairRule<LogicalFilter, DistinctNode> {

        BelowDistinct() {
            super(OptimizerRule.FILTER_BELOW_GROUPS, LogicalFilter.class, DistinctNode.class);
        }

        @Override
        @Nullable RelNode replace(LogicalFilter upper, DistinctNode lower) {
            ImmutableBitSet keys = ImmutableBitSet.of(lower.keys());
            return moved(Parted.of(upper.getCondition(), keys::contains), lower, column -> column);
        }
    }

    private static final class BelowAggregate extends PairRule<LogicalFilter, AggregateNode> {

        BelowAggregate() {
            super(OptimizerRule.FILTER_BELOW_GROUPS, LogicalFilter.class, AggregateNode.class);
        }

        @Override
        @Nullable RelNode replace(LogicalFilter upper, AggregateNode lower) {
            ImmutableBitSet keys = ImmutableBitSet.range(lower.keys().size());
            return moved(Parted.of(upper.getCondition(), keys::contains), lower, lower.keys()::get);
        }
    }

    private static final class BelowWindow extends PairRule<LogicalFilter, WindowNode> {

        BelowWindow() {
            super(OptimizerRule.FILTER_BELOW_GROUPS, LogicalFilter.class, WindowNode.class);
        }

        @Override
        @Nullable RelNode replace(LogicalFilter upper, WindowNode lower) {
            ImmutableBitSet partition = ImmutableBitSet.of(lower.partition());
            return moved(
                    Parted.of(upper.getCondition(), partition::contains), lower, column -> column);
        }
    }
}
