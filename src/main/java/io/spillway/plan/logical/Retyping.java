package io.spillway.plan.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * Expressions of a validated query over the columns as they are: a column whose type SQL has no
 * arithmetic for is cast to the type that the validator took it for.
 */
class Retyping extends RexShuttle {

    private final RexBuilder builder = new RexBuilder(SpillwayTypeFactory.INSTANCE);
    private final RelDataType row;

    /**
     * @param row the columns as they are
     */
    Retyping(RelDataType row) {
        this.row = row;
    }

    /** A column, with the type that is expected of it. */
    RexNode reference(int index, RelDataType expected) {
        RexNode reference = RexInputRef.of(index, row);
        RelDataType actual = reference.getType();
        return TypeMapping.toColumn(actual).equals(QueryTypes.column(expected))
                ? reference
                : builder.makeAbstractCast(
                        builder.getTypeFactory()
                                .createTypeWithNullability(expected, actual.isNullable()),
                        reference,
                        false);
    }

    /** Expressions whose results are handed on: a column stays what it is. */
    final List<RexNode> results(List<RexNode> expressions) {
        return expressions.stream()
                .map(
                        e ->
                                e instanceof RexInputRef reference
                                        ? RexInputRef.of(reference.getIndex(), row)
                                        : e.accept(this))
                .toList();
    }

    @Override
    public RexNode visitInputRef(RexInputRef reference) {
        return reference(reference.getIndex(), reference.getType());
    }

    @Override
    public RexNode visitCall(RexCall call) {
        boolean[] changed = {false};
        List<RexNode> operands = visitList(call.getOperands(), changed);
        RelDataType type = call.getType();
        RexCall retyped =
                type instanceof ListRelType list
                        ? call.clone(TypeMapping.toRel(list.type(), type.isNullable()), operands)
                        : changed[0] ? call.clone(type, operands) : call;
        RexCall equality = nullSafe(retyped);
        return equality == null
                ? retyped
                : builder.makeCall(
                        SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, equality.getOperands());
    }

    /**
     * The {@code a = b} of {@code a IS NULL AND b IS NULL OR (a = b) IS TRUE}, as Calcite writes
     * {@code a IS NOT DISTINCT FROM b}; null for all else.
     */
    private static @Nullable RexCall nullSafe(RexCall call) {
        if (!call.isA(SqlKind.OR)
                || call.getOperands().size() != 2
                || !(call.getOperands().get(0) instanceof RexCall nulls)
                || !(call.getOperands().get(1) instanceof RexCall truth)
                || !nulls.isA(SqlKind.AND)
                || !truth.isA(SqlKind.IS_TRUE)
                || !(truth.getOperands().getFirst() instanceof RexCall equality)
                || !equality.isA(SqlKind.EQUALS)) {
            return null;
        }
        List<RexNode> tested = new ArrayList<>();
        for (RexNode operand : nulls.getOperands()) {
            if (operand instanceof RexCall test && test.isA(SqlKind.IS_NULL)) {
                tested.add(test.getOperands().getFirst());
            }
        }
        return tested.equals(equality.getOperands()) ? equality : null;
    }

    @Override
    public RexNode visitLiteral(RexLiteral literal) {
        RelDataType type = literal.getType();
        return type instanceof ListRelType list
                ? Algebra.nullOf(TypeMapping.toRel(list.type(), true))
                : literal;
    }

    @Override
    public RexNode visitCorrelVariable(RexCorrelVariable variable) {
        throw RexTranslator.notSupported("A sub-query that depends on rows in this way");
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
        throw RexTranslator.notSupported("A sub-query here");
    }
}
