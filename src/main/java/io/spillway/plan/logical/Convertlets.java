package io.spillway.plan.logical;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;

/**
 * How validated calls become row expressions, where Calcite's standard way would change their
 * meaning or hide it: comparisons keep their operands' types (the standard casts both to a type
 * that may drop digits of decimals), IS DISTINCT FROM and GREATEST stay one call, and SQRT is not
 * POWER(x, 0.5).
 */
final class Convertlets implements SqlRexConvertletTable {

    private static final Set<SqlOperator> AS_THEY_ARE =
            Set.of(
                    SqlStdOperatorTable.EQUALS,
                    SqlStdOperatorTable.NOT_EQUALS,
                    SqlStdOperatorTable.LESS_THAN,
                    SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
                    SqlStdOperatorTable.GREATER_THAN,
                    SqlStdOperatorTable.GREATER_THAN_OR_EQUAL,
                    SqlStdOperatorTable.IS_DISTINCT_FROM,
                    SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
                    SqlStdOperatorTable.SQRT,
                    SqlLibraryOperators.GREATEST,
                    SqlLibraryOperators.LEAST);

    @Override
    public @Nullable SqlRexConvertlet get(SqlCall call) {
        SqlOperator operator = call.getOperator();
        if (AS_THEY_ARE.contains(operator)
                || operator instanceof NamedFunction
                || operator instanceof NestedFunction
                || operator instanceof StructFunction) {
            return Convertlets::asItIs;
        }
        if (operator instanceof SqlBetweenOperator between) {
            return (context, c) -> between(context, c, between);
        }
        return operator.equals(SqlStdOperatorTable.COALESCE)
                ? Convertlets::coalesce
                : StandardConvertletTable.INSTANCE.get(call);
    }

    /** The first that is not null: what a join makes of its common columns. */
    private static RexNode coalesce(SqlRexContext context, SqlCall call) {
        RexBuilder builder = context.getRexBuilder();
        List<RexNode> operands = new ArrayList<>();
        for (SqlNode operand : call.getOperandList()) {
            RexNode value = context.convertExpression(operand);
            if (!operands.isEmpty()) {
                RexNode before = operands.removeLast();
                operands.add(builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, before));
                operands.add(before);
            }
            operands.add(value);
        }
        return builder.makeCall(SqlStdOperatorTable.CASE, operands);
    }

    private static RexNode asItIs(SqlRexContext context, SqlCall call) {
        return context.getRexBuilder()
                .makeCall(
                        call.getParserPosition(),
                        call.getOperator(),
                        call.getOperandList().stream().map(context::convertExpression).toList());
    }

    private static RexNode between(
            SqlRexContext context, SqlCall call, SqlBetweenOperator operator) {
        RexNode value = context.convertExpression(call.operand(SqlBetweenOperator.VALUE_OPERAND));
        RexNode lower = context.convertExpression(call.operand(SqlBetweenOperator.LOWER_OPERAND));
        RexNode upper = context.convertExpression(call.operand(SqlBetweenOperator.UPPER_OPERAND));
        RexBuilder builder = context.getRexBuilder();
        RexNode result = range(builder, value, lower, upper);
        if (operator.flag == SqlBetweenOperator.Flag.SYMMETRIC) {
            result =
                    builder.makeCall(
                            SqlStdOperatorTable.OR, result, range(builder, value, upper, lower));
        }
        return operator.isNegated() ? builder.makeCall(SqlStdOperatorTable.NOT, result) : result;
    }

    private static RexNode range(RexBuilder builder, RexNode value, RexNode lower, RexNode upper) {
        return builder.makeCall(
                SqlStdOperatorTable.AND,
                builder.makeCall(SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, value, lower),
                builder.makeCall(SqlStdOperatorTable.LESS_THAN_OR_EQUAL, value, upper));
    }
}
