package io.spillway.plan.logical;

import io.spillway.operator.join.JoinType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Gives inner joins the conditions of the filter above them: one that is about a single input is
 * tested there, one that is about several at the first join that has them all. A semi join above
 * them that asks for equal keys of a single input moves to that input. Conditions that may raise an
 * error stay where they are, and so do joins that have such.
 *
 * <p>Joins that a step has made keep their order. The tables of a query are joined beginning with
 * the one that has most rows, so that the tables that a join has to hold are the smaller ones; then
 * always the first in the text that a key connects with those before it, so that no list of tables
 * becomes all pairs of their rows. A table of one row, as a query in place of a value is, comes as
 * soon as a condition can be tested with it.
 */
final class JoinOrder {

    private static final RexBuilder BUILDER = new RexBuilder(SpillwayTypeFactory.INSTANCE);

    private final List<RelNode> inputs = new ArrayList<>();
    private final JoinConditions conditions = new JoinConditions();
    private final List<RexNode> above = new ArrayList<>();
    private final List<JoinNode> reducers = new ArrayList<>();

    /** First column of each input, and at the end the number of columns. */
    private int[] first = {0};

    private JoinOrder() {}

    /** An equivalent plan. Recurses as deep as the plan. */
    static RelNode of(RelNode node) {
        JoinOrder order = new JoinOrder();
        return order.peeled(node) instanceof JoinNode join && flat(join)
                ? order.over(join)
                : overInputs(node);
    }

    private static RelNode overInputs(RelNode node) {
        RelNode same = node instanceof JoinNode join ? JoinFilters.conditioned(join) : node;
        return same.getInputs().isEmpty()
                ? same
                : same.copy(
                        same.getTraitSet(), same.getInputs().stream().map(JoinOrder::of).toList());
    }

    /** Takes off filters and semi joins, whose columns are those of what they stand over. */
    private RelNode peeled(RelNode node) {
        RelNode below = node;
        while (true) {
            if (below instanceof Filter filter) {
                List<RexNode> fallible = new ArrayList<>();
                for (RexNode conjunct : Algebra.conjuncts(filter.getCondition())) {
                    if (Infallible.is(conjunct)) {
                        conditions.add(conjunct);
                    } else {
                        fallible.add(conjunct);
                    }
                }
                above.addAll(0, fallible);
                below = filter.getInput();
            } else if (below instanceof JoinNode join && reduces(join)) {
                reducers.addFirst(join);
                below = join.getLeft();
            } else {
                return below;
            }
        }
    }

    /** Is it a semi join by keys alone? */
    private static boolean reduces(JoinNode join) {
        ImmutableBitSet left = ImmutableBitSet.range(join.leftColumns());
        ImmutableBitSet right =
                ImmutableBitSet.range(join.leftColumns(), join.pairs().getFieldList().size());
        return join.type() == JoinType.SEMI
                && Infallible.is(join.condition())
                && Algebra.conjuncts(join.condition()).stream()
                        .allMatch(c -> JoinConditions.connects(c, left, right));
    }

    /** Is it a join whose condition may be tested elsewhere, and whose inputs may change places? */
    private static boolean flat(JoinNode join) {
        return (join.type() == JoinType.INNER && Infallible.is(join.condition()))
                || (join.type() == JoinType.LEFT
                        && join.condition().isAlwaysTrue()
                        && RowEstimate.isOne(join.getRight()));
    }

    private RelNode over(JoinNode join) {
        collect(join, join.isOfQuery());
        conditions.infer(first);
        RelNode result = node(join.getRowType(), join.isOfQuery());
        for (JoinNode reducer : reducers) {
            result =
                    JoinNode.create(
                            result, of(reducer.getRight()), JoinType.SEMI, reducer.condition());
        }
        return FilterRules.filtered(result, above);
    }

    private void collect(RelNode node, boolean ofQuery) {
        if (node instanceof JoinNode join && flat(join) && join.isOfQuery() == ofQuery) {
            int offset = first[inputs.size()];
            collect(join.getLeft(), ofQuery);
            collect(join.getRight(), ofQuery);
            for (RexNode conjunct : Algebra.conjuncts(join.condition())) {
                conditions.add(RexUtil.shift(conjunct, offset));
            }
        } else {
            inputs.add(of(node));
            int[] longer = Arrays.copyOf(first, first.length + 1);
            longer[inputs.size()] = first[inputs.size() - 1] + node.getRowType().getFieldCount();
            first = longer;
        }
    }

    /**
     * @param wanted columns as they were
     */
    private RelNode node(RelDataType wanted, boolean ofQuery) {
        List<Integer> open = new ArrayList<>(ImmutableBitSet.range(inputs.size()).asList());
        int[] position = new int[first[inputs.size()]];
        int start = ofQuery ? largest() : 0;
        open.remove(Integer.valueOf(start));
        ImmutableBitSet there = own(start);
        place(start, 0, position);
        RelNode result = reduced(start);
        while (!open.isEmpty()) {
            int next = ofQuery ? next(open, there) : open.getFirst();
            open.remove(Integer.valueOf(next));
            place(next, result.getRowType().getFieldCount(), position);
            RelNode input = reduced(next);
            there = there.union(own(next));
            result = join(result, input, conditions.take(there), position);
        }
        List<RexNode> columns = new ArrayList<>();
        for (int i = 0; i < position.length; i++) {
            RexNode column = RexInputRef.of(position[i], result.getRowType());
            RelDataType type = wanted.getFieldList().get(i).getType();
            columns.add(
                    column.getType().equals(type)
                            ? column
                            : BUILDER.makeAbstractCast(type, column, false));
        }
        return Algebra.project(result, columns, wanted.getFieldNames());
    }

    private ImmutableBitSet own(int input) {
        return ImmutableBitSet.range(first[input], first[input + 1]);
    }

    private void place(int input, int at, int[] position) {
        for (int column : own(input)) {
            position[column] = at + column - first[input];
        }
    }

    private int largest() {
        int largest = 0;
        for (int i = 1; i < inputs.size(); i++) {
            if (RowEstimate.of(inputs.get(i)) > RowEstimate.of(inputs.get(largest))) {
                largest = i;
            }
        }
        return largest;
    }

    /** One row that is asked for, or the first that is connected with those there, or the first. */
    private int next(List<Integer> open, ImmutableBitSet there) {
        for (int input : open) {
            if (RowEstimate.isOne(inputs.get(input)) && conditions.complete(there, own(input))) {
                return input;
            }
        }
        for (int input : open) {
            if (conditions.connect(there, own(input))) {
                return input;
            }
        }
        return open.getFirst();
    }

    /** An input with the conditions and the semi joins that are about it alone. */
    private RelNode reduced(int number) {
        ImmutableBitSet own = own(number);
        RelNode result = inputs.get(number);
        List<RexNode> moved = new ArrayList<>();
        for (RexNode condition : conditions.takeOf(own)) {
            moved.add(over(condition, result.getRowType(), column -> column - first[number]));
        }
        result = FilterRules.filtered(result, moved);
        for (JoinNode reducer : List.copyOf(reducers)) {
            int columns = reducer.leftColumns();
            ImmutableBitSet asked =
                    RelOptUtil.InputFinder.bits(reducer.condition())
                            .intersect(ImmutableBitSet.range(columns));
            if (own.contains(asked)) {
                reducers.remove(reducer);
                result = reduced(result, reducer, columns, first[number]);
            }
        }
        return result;
    }

    private static RelNode reduced(RelNode input, JoinNode reducer, int columns, int offset) {
        RelNode right = of(reducer.getRight());
        JoinNode any = JoinNode.create(input, right, JoinType.SEMI, BUILDER.makeLiteral(true));
        RexNode condition =
                over(
                        reducer.condition(),
                        any.pairs(),
                        column ->
                                column < columns
                                        ? column - offset
                                        : column - columns + any.leftColumns());
        return JoinNode.create(input, right, JoinType.SEMI, condition);
    }

    private static RelNode join(RelNode left, RelNode right, List<RexNode> taken, int[] position) {
        RexNode always = BUILDER.makeLiteral(true);
        RelDataType pairs = JoinNode.create(left, right, JoinType.INNER, always).pairs();
        List<RexNode> moved =
                taken.stream().map(c -> over(c, pairs, column -> position[column])).toList();
        return JoinNode.create(left, right, JoinType.INNER, Algebra.and(left.getCluster(), moved));
    }

    private static RexNode over(RexNode condition, RelDataType row, IntUnaryOperator position) {
        return condition.accept(
                new RexShuttle() {
                    @Override
                    public RexNode visitInputRef(RexInputRef reference) {
                        return RexInputRef.of(position.applyAsInt(reference.getIndex()), row);
                    }
                });
    }
}
