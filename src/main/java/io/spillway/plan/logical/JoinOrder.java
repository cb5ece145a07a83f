package io.spillway.plan.logical;

import io.spillway.operator.join.JoinType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Gives inner joins the conditions of the filter above them: one that is about a single input is
 * tested there, one that is about several at the first join that has them all. The inputs stay in
 * the order written, but for one that no key connects with those before it: then the next one that
 * is connected comes first, so that no list of tables becomes all pairs of their rows. Conditions
 * that may raise an error stay where they are, and so do joins that have such.
 */
final class JoinOrder {

    private static final RexBuilder BUILDER = new RexBuilder(SpillwayTypeFactory.INSTANCE);

    private final List<RelNode> inputs = new ArrayList<>();
    private final List<RexNode> conditions = new ArrayList<>();
    private final List<RexNode> above = new ArrayList<>();

    private JoinOrder() {}

    /** An equivalent plan. Recurses as deep as the plan. */
    static RelNode of(RelNode node) {
        if (node instanceof Filter filter && filter.getInput() instanceof JoinNode join) {
            return joined(join, Algebra.conjuncts(filter.getCondition()));
        }
        return node instanceof JoinNode join ? joined(join, List.of()) : overInputs(node);
    }

    private static RelNode overInputs(RelNode node) {
        return node.getInputs().isEmpty()
                ? node
                : node.copy(
                        node.getTraitSet(), node.getInputs().stream().map(JoinOrder::of).toList());
    }

    private static RelNode joined(JoinNode join, List<RexNode> filter) {
        if (!flat(join)) {
            RelNode below = overInputs(join);
            return filter.isEmpty()
                    ? below
                    : Algebra.filter(below, Algebra.and(join.getCluster(), filter));
        }
        JoinOrder order = new JoinOrder();
        order.collect(join, 0);
        for (RexNode conjunct : filter) {
            if (Infallible.is(conjunct)) {
                order.conditions.addAll(factored(conjunct));
            } else {
                order.above.add(conjunct);
            }
        }
        return order.node(join.getRowType());
    }

    /** An inner join whose condition may be tested elsewhere. */
    private static boolean flat(RelNode node) {
        return node instanceof JoinNode join
                && join.type() == JoinType.INNER
                && Infallible.is(join.condition());
    }

    /**
     * @param offset columns of the inputs before it
     */
    private void collect(RelNode node, int offset) {
        if (node instanceof JoinNode join && flat(join)) {
            collect(join.getLeft(), offset);
            collect(join.getRight(), offset + join.leftColumns());
            for (RexNode conjunct : Algebra.conjuncts(join.condition())) {
                conditions.addAll(factored(RexUtil.shift(conjunct, offset)));
            }
        } else {
            inputs.add(of(node));
        }
    }

    /** Conjuncts that all terms of an OR have in common stand before it. */
    private static List<RexNode> factored(RexNode conjunct) {
        if (!conjunct.isA(SqlKind.OR)) {
            return List.of(conjunct);
        }
        List<List<RexNode>> terms =
                RelOptUtil.disjunctions(conjunct).stream().map(Algebra::conjuncts).toList();
        Set<RexNode> common = new LinkedHashSet<>(terms.getFirst());
        terms.forEach(common::retainAll);
        if (common.isEmpty()) {
            return List.of(conjunct);
        }
        List<RexNode> result = new ArrayList<>(common);
        List<RexNode> rest = new ArrayList<>();
        for (List<RexNode> term : terms) {
            List<RexNode> left = term.stream().filter(c -> !common.contains(c)).toList();
            if (left.isEmpty()) {
                // One term is the common part alone: the others add nothing.
                return result;
            }
            rest.add(RexUtil.composeConjunction(BUILDER, left));
        }
        result.add(RexUtil.composeDisjunction(BUILDER, rest));
        return result;
    }

    /**
     * @param wanted columns as they were
     */
    private RelNode node(RelDataType wanted) {
        int[] first = new int[inputs.size() + 1];
        for (int i = 0; i < inputs.size(); i++) {
            first[i + 1] = first[i] + inputs.get(i).getRowType().getFieldCount();
        }
        List<Integer> open = new ArrayList<>(ImmutableBitSet.range(inputs.size()).asList());
        int[] position = new int[first[inputs.size()]];
        ImmutableBitSet there = ImmutableBitSet.of();
        RelNode result = null;
        while (!open.isEmpty()) {
            int next = result == null ? 0 : next(open, there, first);
            open.remove(Integer.valueOf(next));
            ImmutableBitSet own = ImmutableBitSet.range(first[next], first[next + 1]);
            int before = result == null ? 0 : result.getRowType().getFieldCount();
            for (int column : own) {
                position[column] = before + column - first[next];
            }
            RelNode input = filtered(inputs.get(next), own, first[next]);
            there = there.union(own);
            result = result == null ? input : join(result, input, taken(there), position);
        }
        if (result == null) {
            throw new IllegalStateException("a join without inputs");
        }
        List<RexNode> columns = new ArrayList<>();
        for (int column : position) {
            columns.add(RexInputRef.of(column, result.getRowType()));
        }
        RelNode same = Algebra.project(result, columns, wanted.getFieldNames());
        return above.isEmpty() ? same : Algebra.filter(same, Algebra.and(same.getCluster(), above));
    }

    /** The first that is connected with those there are, or else the first. */
    private int next(List<Integer> open, ImmutableBitSet there, int[] first) {
        for (int input : open) {
            ImmutableBitSet own = ImmutableBitSet.range(first[input], first[input + 1]);
            if (conditions.stream().anyMatch(c -> connects(c, there, own))) {
                return input;
            }
        }
        return open.getFirst();
    }

    private static boolean connects(RexNode condition, ImmutableBitSet a, ImmutableBitSet b) {
        if (!(condition instanceof RexCall call)
                || !(call.isA(SqlKind.EQUALS) || call.isA(SqlKind.IS_NOT_DISTINCT_FROM))) {
            return false;
        }
        ImmutableBitSet left = RelOptUtil.InputFinder.bits(call.getOperands().get(0));
        ImmutableBitSet right = RelOptUtil.InputFinder.bits(call.getOperands().get(1));
        return !left.isEmpty()
                && !right.isEmpty()
                && ((a.contains(left) && b.contains(right))
                        || (a.contains(right) && b.contains(left)));
    }

    /** Takes the conditions that columns suffice for. */
    private List<RexNode> taken(ImmutableBitSet columns) {
        List<RexNode> taken =
                conditions.stream()
                        .filter(c -> columns.contains(RelOptUtil.InputFinder.bits(c)))
                        .toList();
        conditions.removeAll(taken);
        return taken;
    }

    private RelNode filtered(RelNode input, ImmutableBitSet own, int first) {
        List<RexNode> taken =
                conditions.stream()
                        .filter(c -> !RelOptUtil.InputFinder.bits(c).isEmpty())
                        .filter(c -> own.contains(RelOptUtil.InputFinder.bits(c)))
                        .toList();
        conditions.removeAll(taken);
        List<RexNode> moved =
                taken.stream()
                        .map(c -> over(c, input.getRowType(), column -> column - first))
                        .toList();
        return moved.isEmpty()
                ? input
                : Algebra.filter(input, Algebra.and(input.getCluster(), moved));
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
