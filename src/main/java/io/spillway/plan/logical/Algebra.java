package io.spillway.plan.logical;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.spillway.batch.ColumnType;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes nodes of the algebra exactly as asked. Calcite's RelBuilder would simplify on the way (with
 * arithmetic of its own, which wraps) and takes limits as ints.
 */
final class Algebra {

    /** The row count of a limit that is only an offset. */
    static final long ALL_ROWS = Long.MAX_VALUE;

    private Algebra() {}

    static RelOptCluster newCluster() {
        return RelOptCluster.create(
                new HepPlanner(HepProgram.builder().build()),
                new RexBuilder(SpillwayTypeFactory.INSTANCE));
    }

    /** The rows for which a predicate is true; whether it may be null says nothing here. */
    static RelNode filter(RelNode input, RexNode predicate) {
        return new LogicalFilter(
                input.getCluster(),
                input.getTraitSet(),
                ImmutableList.of(),
                input,
                RexUtil.removeNullabilityCast(input.getCluster().getTypeFactory(), predicate),
                ImmutableSet.of());
    }

    static RelNode project(RelNode input, List<RexNode> values, List<String> names) {
        return new LogicalProject(
                input.getCluster(),
                input.getTraitSet(),
                ImmutableList.of(),
                input,
                values,
                RexUtil.createStructType(input.getCluster().getTypeFactory(), values, names, null),
                ImmutableSet.of());
    }

    /** Rows {@code [offset, offset + rows)}; both are 64-bit literals, and nothing is added. */
    static RelNode limit(RelNode input, long offset, long rows) {
        if (offset == 0 && rows == ALL_ROWS) {
            return input;
        }
        return LogicalSort.create(
                input,
                RelCollations.EMPTY,
                offset == 0 ? null : bigint(input, offset),
                rows == ALL_ROWS ? null : bigint(input, rows));
    }

    private static RexNode bigint(RelNode input, long value) {
        return input.getCluster()
                .getRexBuilder()
                .makeExactLiteral(
                        BigDecimal.valueOf(value),
                        SpillwayTypeFactory.INSTANCE.createSqlType(SqlTypeName.BIGINT));
    }

    /** The positions of all columns. */
    static List<Integer> allColumns(RelNode node) {
        return ImmutableBitSet.range(node.getRowType().getFieldCount()).asList();
    }

    /** Columns of a node by position, in this order, under their names. */
    static RelNode pick(RelNode input, List<Integer> columns) {
        if (columns.equals(allColumns(input))) {
            return input;
        }
        RelDataType row = input.getRowType();
        return project(
                input,
                columns.stream().map(c -> (RexNode) RexInputRef.of(c, row)).toList(),
                columns.stream().map(c -> row.getFieldNames().get(c)).toList());
    }

    /** A name that is not yet taken, which it is afterwards: the name itself if possible. */
    static String unique(String name, Set<String> taken) {
        String unique = name;
        for (int i = 1; !taken.add(unique); i++) {
            unique = name + "_" + i;
        }
        return unique;
    }

    /** A value as another type. */
    static RexNode cast(RexNode value, ColumnType type) {
        return new RexBuilder(SpillwayTypeFactory.INSTANCE)
                .makeAbstractCast(
                        TypeMapping.toRel(type, value.getType().isNullable()), value, false);
    }

    /** NULL of a type. */
    static RexNode nullOf(RelDataType type) {
        RexBuilder builder = new RexBuilder(SpillwayTypeFactory.INSTANCE);
        RelDataType untyped = SpillwayTypeFactory.INSTANCE.createSqlType(SqlTypeName.NULL);
        return builder.makeAbstractCast(
                SpillwayTypeFactory.INSTANCE.createTypeWithNullability(type, true),
                builder.makeNullLiteral(untyped),
                false);
    }

    /** The conjuncts of a condition, in order; none for TRUE. */
    static List<RexNode> conjuncts(RexNode condition) {
        List<RexNode> conjuncts = new ArrayList<>();
        Deque<RexNode> open = new ArrayDeque<>(List.of(condition));
        while (!open.isEmpty()) {
            RexNode node = open.pop();
            if (node.isA(SqlKind.AND)) {
                ((RexCall) node).getOperands().reversed().forEach(open::push);
            } else if (!node.isAlwaysTrue()) {
                conjuncts.add(node);
            }
        }
        return conjuncts;
    }

    /** Conjuncts as one condition, in order. */
    static RexNode and(RelOptCluster cluster, List<? extends RexNode> conjuncts) {
        return RexUtil.composeConjunction(cluster.getRexBuilder(), conjuncts);
    }

    /** Is it a limit alone, without an order of its own? */
    static boolean isLimit(Sort sort) {
        return sort.getCollation().getFieldCollations().isEmpty();
    }

    /** The offset of a limit. */
    static long offset(Sort limit) {
        return value(limit.offset, 0);
    }

    /** The row count of a limit, or {@link #ALL_ROWS}. */
    static long rows(Sort limit) {
        return value(limit.fetch, ALL_ROWS);
    }

    private static long value(@Nullable RexNode literal, long otherwise) {
        if (literal == null) {
            return otherwise;
        }
        Long value = ((RexLiteral) literal).getValueAs(Long.class);
        return value == null ? otherwise : value;
    }

    /** NULL as a truth value. */
    static RexNode unknown(RelOptCluster cluster) {
        return cluster.getRexBuilder()
                .makeNullLiteral(SpillwayTypeFactory.INSTANCE.createSqlType(SqlTypeName.BOOLEAN));
    }
}
