package io.spillway.plan.logical;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The conditions of a group of inner joins, each over the columns of all inputs, none of which
 * raises an error: so each may be tested wherever its columns are, and what follows from them too.
 */
final class JoinConditions {

    private static final RexBuilder BUILDER = new RexBuilder(SpillwayTypeFactory.INSTANCE);

    /** More conditions than these are not made of others. */
    private static final int MAX_INFERRED = 256;

    private final Set<RexNode> open = new LinkedHashSet<>();

    /** Adds a conjunct; what all terms of an OR have in common stands before it. */
    void add(RexNode conjunct) {
        open.addAll(factored(conjunct));
    }

    private static List<RexNode> factored(RexNode conjunct) {
        if (!conjunct.isA(SqlKind.OR)) {
            return List.of(conjunct);
        }
        List<List<RexNode>> terms = terms(conjunct);
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

    private static List<List<RexNode>> terms(RexNode disjunction) {
        return RelOptUtil.disjunctions(disjunction).stream().map(Algebra::conjuncts).toList();
    }

    /**
     * Adds what follows for single inputs.
     *
     * @param first first column of each input, and at the end the number of columns
     */
    void infer(int[] first) {
        for (RexNode condition : List.copyOf(open)) {
            for (int i = 0; i + 1 < first.length && condition.isA(SqlKind.OR); i++) {
                inferFromTerms(condition, ImmutableBitSet.range(first[i], first[i + 1]));
            }
        }
        inferFromEqualities();
    }

    /** What is said of a column alone holds of those that are equal to it. */
    private void inferFromEqualities() {
        Map<Integer, List<RexInputRef>> equals = new HashMap<>();
        for (RexNode condition : open) {
            if (swaps(condition)) {
                RexInputRef left = (RexInputRef) ((RexCall) condition).getOperands().get(0);
                RexInputRef right = (RexInputRef) ((RexCall) condition).getOperands().get(1);
                equals.computeIfAbsent(left.getIndex(), _ -> new ArrayList<>()).add(right);
                equals.computeIfAbsent(right.getIndex(), _ -> new ArrayList<>()).add(left);
            }
        }
        Deque<RexNode> told = new ArrayDeque<>(open);
        int inferred = 0;
        while (!told.isEmpty() && inferred < MAX_INFERRED) {
            RexNode condition = told.poll();
            ImmutableBitSet columns = columns(condition);
            if (columns.cardinality() != 1) {
                continue;
            }
            for (RexInputRef other : equals.getOrDefault(columns.nth(0), List.of())) {
                RexNode replaced = replaced(condition, other);
                if (open.add(replaced)) {
                    told.add(replaced);
                    inferred++;
                }
            }
        }
    }

    /** Where each term of an OR says something of one input, one of these holds of it. */
    private void inferFromTerms(RexNode disjunction, ImmutableBitSet own) {
        if (own.contains(columns(disjunction))) {
            return;
        }
        List<RexNode> parts = new ArrayList<>();
        for (List<RexNode> term : terms(disjunction)) {
            List<RexNode> part = term.stream().filter(about(own)).toList();
            if (part.isEmpty()) {
                return;
            }
            parts.add(RexUtil.composeConjunction(BUILDER, part));
        }
        open.add(RexUtil.composeDisjunction(BUILDER, parts));
    }

    /**
     * Does it say that two columns hold the same value? Floats that are equal may still be told
     * apart by their signs of zero.
     */
    private static boolean swaps(RexNode condition) {
        return condition.isA(SqlKind.EQUALS)
                && condition instanceof RexCall call
                && call.getOperands().get(0) instanceof RexInputRef left
                && call.getOperands().get(1) instanceof RexInputRef right
                && TypeMapping.toColumn(left.getType())
                        .equals(TypeMapping.toColumn(right.getType()))
                && !SqlTypeName.APPROX_TYPES.contains(left.getType().getSqlTypeName());
    }

    private static RexNode replaced(RexNode condition, RexInputRef by) {
        RelDataType type = by.getType();
        return condition.accept(
                new RexShuttle() {
                    @Override
                    public RexNode visitInputRef(RexInputRef reference) {
                        return new RexInputRef(by.getIndex(), type);
                    }
                });
    }

    /** Takes the conditions about columns of one input. */
    List<RexNode> takeOf(ImmutableBitSet own) {
        return take(about(own));
    }

    /** Takes the conditions that columns suffice for. */
    List<RexNode> take(ImmutableBitSet there) {
        return take(c -> there.contains(columns(c)));
    }

    private List<RexNode> take(Predicate<RexNode> which) {
        List<RexNode> taken = open.stream().filter(which).toList();
        taken.forEach(open::remove);
        return taken;
    }

    /** Does an equality connect columns that are there with those of an input? */
    boolean connect(ImmutableBitSet there, ImmutableBitSet own) {
        return open.stream().anyMatch(c -> connects(c, there, own));
    }

    /** Is there a condition about an input and columns that are there? */
    boolean complete(ImmutableBitSet there, ImmutableBitSet own) {
        return open.stream()
                .map(JoinConditions::columns)
                .anyMatch(c -> c.intersects(own) && there.union(own).contains(c));
    }

    /** Is it an equality of a value of the one side and one of the other? */
    static boolean connects(RexNode condition, ImmutableBitSet a, ImmutableBitSet b) {
        if (!(condition instanceof RexCall call)
                || !(call.isA(SqlKind.EQUALS) || call.isA(SqlKind.IS_NOT_DISTINCT_FROM))) {
            return false;
        }
        ImmutableBitSet left = columns(call.getOperands().get(0));
        ImmutableBitSet right = columns(call.getOperands().get(1));
        return !left.isEmpty()
                && !right.isEmpty()
                && ((a.contains(left) && b.contains(right))
                        || (a.contains(right) && b.contains(left)));
    }

    private static Predicate<RexNode> about(ImmutableBitSet own) {
        return c -> !columns(c).isEmpty() && own.contains(columns(c));
    }

    private static ImmutableBitSet columns(RexNode condition) {
        return RelOptUtil.InputFinder.bits(condition);
    }
}
