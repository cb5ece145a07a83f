package io.spillway.plan.logical;

import io.spillway.operator.join.JoinType;
import io.spillway.plan.logical.FilterRules.Parted;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Conditions about one side of a join, below it where that leaves the same rows in the same order.
 * Inner joins are left to {@link JoinOrder}, unless it may not touch them.
 */
final class JoinFilters {

    private JoinFilters() {}

    /** A filter above a join. */
    static final class Rule extends PairRule<LogicalFilter, JoinNode> {

        Rule() {
            super(OptimizerRule.FILTER_BELOW_JOIN, LogicalFilter.class, JoinNode.class);
        }

        @Override
        @Nullable RelNode replace(LogicalFilter upper, JoinNode lower) {
            JoinType narrower = narrower(lower, upper.getCondition());
            if (narrower != lower.type()) {
                return Algebra.filter(
                        retyped(lower.withType(narrower), lower.getRowType()),
                        upper.getCondition());
            }
            boolean left =
                    switch (lower.type()) {
                        case LEFT, SEMI, ANTI -> true;
                        case INNER -> !Infallible.is(lower.condition());
                        case RIGHT, FULL -> false;
                    };
            boolean right =
                    lower.type() == JoinType.RIGHT || (lower.type() == JoinType.INNER && left);
            Split split = Split.of(lower, upper.getCondition(), left, right);
            return split.changed()
                    ? FilterRules.filtered(
                            lower.over(split.left, split.right, lower.condition()), split.rest)
                    : null;
        }
    }

    /** The join without the kinds of unmatched rows that a condition throws away. */
    private static JoinType narrower(JoinNode join, RexNode condition) {
        int columns = join.getRowType().getFieldCount();
        JoinType type = join.type();
        if (!type.hasRight() || type == JoinType.INNER) {
            return type;
        }
        ImmutableBitSet left = ImmutableBitSet.range(join.leftColumns());
        ImmutableBitSet right = ImmutableBitSet.range(join.leftColumns(), columns);
        boolean keepsLeft = type.keepsLeft() && rejectsNone(condition, right);
        boolean keepsRight = type.keepsRight() && rejectsNone(condition, left);
        return keepsLeft
                ? keepsRight ? JoinType.FULL : JoinType.LEFT
                : keepsRight ? JoinType.RIGHT : JoinType.INNER;
    }

    /** May a condition be true of a row in which all these columns are null? */
    private static boolean rejectsNone(RexNode condition, ImmutableBitSet nulls) {
        return Algebra.conjuncts(condition).stream().noneMatch(c -> Strong.isNotTrue(c, nulls));
    }

    private static RelNode retyped(JoinNode join, RelDataType wanted) {
        RexBuilder builder = join.getCluster().getRexBuilder();
        List<RexNode> columns = new ArrayList<>();
        for (int i = 0; i < wanted.getFieldCount(); i++) {
            RexNode column = RexInputRef.of(i, join.getRowType());
            RelDataType type = wanted.getFieldList().get(i).getType();
            columns.add(
                    column.getType().equals(type)
                            ? column
                            : builder.makeAbstractCast(type, column, false));
        }
        return Algebra.project(join, columns, wanted.getFieldNames());
    }

    /** The join without those of its own conditions that one side can be asked alone. */
    static JoinNode conditioned(JoinNode join) {
        boolean left =
                switch (join.type()) {
                    case INNER, RIGHT, SEMI -> true;
                    case LEFT, FULL, ANTI -> false;
                };
        boolean right =
                switch (join.type()) {
                    case INNER, LEFT, SEMI, ANTI -> true;
                    case RIGHT, FULL -> false;
                };
        Split split = Split.of(join, join.condition(), left, right);
        return split.changed()
                ? join.over(split.left, split.right, Algebra.and(join.getCluster(), split.rest))
                : join;
    }

    /**
     * What is left of a condition once it has been given to the sides.
     *
     * @param left the left side, filtered if anything moved there
     * @param rest what stays
     */
    private record Split(JoinNode join, RelNode left, RelNode right, List<RexNode> rest) {

        /**
         * Splits a condition.
         *
         * @param toLeft may conditions about left columns move to that side?
         */
        static Split of(JoinNode join, RexNode condition, boolean toLeft, boolean toRight) {
            int width = join.leftColumns();
            ImmutableBitSet ofLeft = ImmutableBitSet.range(width);
            Parted first = Parted.of(condition, c -> toLeft && ofLeft.contains(c));
            Parted second =
                    Parted.of(
                            Algebra.and(join.getCluster(), first.left()),
                            c -> toRight && !c.intersects(ofLeft));
            return new Split(
                    join,
                    first.below(join.getLeft(), column -> column),
                    second.below(join.getRight(), column -> column - width),
                    second.left());
        }

        boolean changed() {
            return !join.getInputs().equals(List.of(left, right));
        }
    }
}
