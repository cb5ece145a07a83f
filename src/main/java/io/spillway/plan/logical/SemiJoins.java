package io.spillway.plan.logical;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * Filters by {@code EXISTS (…)}, {@code x IN (…)} and their negations as semi joins and anti joins,
 * where the query in brackets depends on the rows around it by the conditions at its top alone, if
 * at all: these become conditions of the join. {@code x NOT IN (…)} is an anti join where neither
 * side can be null, or where those conditions make a key. All others are left as they are.
 */
final class SemiJoins extends RelHomogeneousShuttle {

    private SemiJoins() {}

    static RelNode of(RelNode root) {
        return root.accept(new SemiJoins());
    }

    /** Is there a query in an expression, or a correlation, still? */
    static boolean anyLeft(RelNode root) {
        boolean[] found = {false};
        new RelVisitor() {
            @Override
            public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
                found[0] |= node instanceof Correlate;
                node.accept(
                        new RexShuttle() {
                            @Override
                            public RexNode visitSubQuery(RexSubQuery query) {
                                found[0] = true;
                                return query;
                            }
                        });
                super.visit(node, ordinal, parent);
            }
        }.go(root);
        return found[0];
    }

    @Override
    public RelNode visit(RelNode node) {
        RelNode visited =
                super.visit(node)
                        .accept(
                                new RexShuttle() {
                                    @Override
                                    public RexNode visitSubQuery(RexSubQuery query) {
                                        return query.clone(of(query.rel));
                                    }
                                });
        return visited instanceof Filter filter ? joined(filter) : visited;
    }

    /**
     * Joins for the conjuncts that can be ones. All other conjuncts that come before, and those
     * that never raise an error, are tested below; the rest only on rows that the joins leave.
     */
    private static RelNode joined(Filter filter) {
        List<RexNode> below = new ArrayList<>();
        List<RexNode> above = new ArrayList<>();
        List<Rows> joins = new ArrayList<>();
        for (RexNode conjunct : Algebra.conjuncts(filter.getCondition())) {
            Rows rows = rows(conjunct, filter);
            if (rows != null) {
                joins.add(rows);
            } else if (RexUtil.SubQueryFinder.find(conjunct) == null
                    && (joins.isEmpty() || Infallible.is(conjunct))) {
                below.add(conjunct);
            } else {
                above.add(conjunct);
            }
        }
        if (joins.isEmpty()) {
            return filter;
        }
        RelNode result = filtered(filter.getInput(), below, Set.of());
        for (Rows rows : joins) {
            result =
                    LogicalJoin.create(
                            result,
                            rows.input,
                            List.of(),
                            rows.condition,
                            ImmutableSet.of(),
                            rows.type);
        }
        return filtered(result, above, filter.getVariablesSet());
    }

    private static RelNode filtered(
            RelNode input, List<RexNode> conjuncts, Set<CorrelationId> variables) {
        return conjuncts.isEmpty()
                ? input
                : LogicalFilter.create(
                        input,
                        Algebra.and(input.getCluster(), conjuncts),
                        ImmutableSet.copyOf(variables));
    }

    /** The right side of a join, and what makes a pair. */
    private record Rows(RelNode input, RexNode condition, JoinRelType type) {}

    private static @Nullable Rows rows(RexNode conjunct, Filter filter) {
        boolean negated = conjunct.isA(SqlKind.NOT);
        RexNode inner = negated ? ((RexCall) conjunct).getOperands().getFirst() : conjunct;
        if (!(inner instanceof RexSubQuery query)) {
            return null;
        }
        JoinRelType type = negated ? JoinRelType.ANTI : JoinRelType.SEMI;
        return switch (query.getKind()) {
            case EXISTS -> rows(query, List.of(), filter, type);
            case IN -> rows(query, query.getOperands(), filter, type);
            default -> null;
        };
    }

    private static boolean anyNull(RexSubQuery query) {
        return query.getOperands().stream().anyMatch(o -> o.getType().isNullable())
                || query.rel.getRowType().getFieldList().stream()
                        .anyMatch(f -> f.getType().isNullable());
    }

    /**
     * @param wanted what the columns of the query must be equal to
     */
    private static @Nullable Rows rows(
            RexSubQuery query, List<RexNode> wanted, Filter filter, JoinRelType type) {
        if (wanted.stream().anyMatch(w -> RexUtil.SubQueryFinder.find(w) != null)) {
            return null;
        }
        Correlated right = Correlated.of(query.rel, filter.getVariablesSet());
        if (right == null) {
            return null;
        }
        int width = filter.getInput().getRowType().getFieldCount();
        RexBuilder builder = filter.getCluster().getRexBuilder();
        List<RexNode> equalities = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            equalities.add(
                    builder.makeCall(
                            SqlStdOperatorTable.EQUALS,
                            wanted.get(i),
                            RexUtil.shift(right.columns().get(i), width)));
        }
        List<RexNode> conditions = new ArrayList<>(equalities);
        if (type == JoinRelType.ANTI && !wanted.isEmpty() && anyNull(query)) {
            // Without a key of another kind it would be a comparison of all rows with all.
            if (right.conditions().stream().noneMatch(c -> c.isA(SqlKind.EQUALS))) {
                return null;
            }
            // What may be equal keeps a row out, too.
            conditions.clear();
            conditions.add(
                    builder.makeCall(
                            SqlStdOperatorTable.IS_NOT_FALSE,
                            Algebra.and(filter.getCluster(), equalities)));
        }
        for (RexNode condition : right.conditions()) {
            conditions.add(right.joined(condition, filter.getInput().getRowType()));
        }
        return new Rows(right.input(), Algebra.and(filter.getCluster(), conditions), type);
    }
}
