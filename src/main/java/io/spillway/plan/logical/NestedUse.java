package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.jspecify.annotations.Nullable;

/**
 * Where lists, structs and maps may stand in an expression: they can be tested for null and taken
 * apart by functions, and CASE and COALESCE hand them on. Looked at before Calcite's validator
 * does, which takes them for values of some type or other.
 */
final class NestedUse {

    /** What NAMED_STRUCT gives: the types of its fields are not known yet. */
    private static final ColumnType SOME_STRUCT = new ColumnType.Struct(List.of());

    private final BoundedExpression text;
    private final Relation relation;

    NestedUse(BoundedExpression text, Relation relation) {
        this.text = text;
        this.relation = relation;
    }

    /**
     * Recurses as deep as the tree.
     *
     * @param checked by {@link ExpressionChecker}
     * @throws SpillwayException {@code TYPE_MISMATCH} with a position
     */
    void check(SqlNode checked) {
        nested(checked);
    }

    /** The type of a value, if it is nested. */
    private @Nullable ColumnType nested(SqlNode node) {
        return switch (node) {
            case SqlIdentifier name ->
                    relation.find(name.getSimple()) instanceof Relation.Available column
                                    && column.schema().type().isNested()
                            ? column.schema().type()
                            : null;
            case SqlCase choice -> {
                for (SqlNode when : choice.getWhenOperands()) {
                    nested(when);
                }
                ColumnType type = first(choice.getThenOperands());
                SqlNode otherwise = choice.getElseOperand();
                ColumnType last = otherwise == null ? null : nested(otherwise);
                yield type == null ? last : type;
            }
            case SqlCall call -> call(call);
            default -> null;
        };
    }

    private @Nullable ColumnType first(Iterable<? extends @Nullable SqlNode> nodes) {
        ColumnType first = null;
        for (SqlNode node : nodes) {
            ColumnType type = node == null ? null : nested(node);
            first = first == null ? type : first;
        }
        return first;
    }

    private @Nullable ColumnType call(SqlCall call) {
        if (call.getKind() == SqlKind.COALESCE) {
            return first(call.getOperandList());
        }
        if (call.getKind() == SqlKind.IS_NULL || call.getKind() == SqlKind.IS_NOT_NULL) {
            first(call.getOperandList());
            return null;
        }
        if (call.getOperator() instanceof StructFunction) {
            at(
                    call,
                    () -> {
                        StructFunction.check(call);
                        return null;
                    });
            first(call.getOperandList());
            return SOME_STRUCT;
        }
        if (call.getOperator() instanceof NestedFunction function) {
            ColumnType container = nested(call.operand(0));
            refuse(call, call.getOperandList().subList(1, call.operandCount()));
            return container == null || container.equals(SOME_STRUCT)
                    ? null
                    : part(function, container, call);
        }
        refuse(call, call.getOperandList());
        return null;
    }

    /** The type of a part of a value, if it is nested. */
    private @Nullable ColumnType part(NestedFunction function, ColumnType container, SqlCall call) {
        ColumnType type = at(call, () -> function.type(container, call));
        return type.isNested() ? type : null;
    }

    /** What a look at a call gives, or what is wrong with it, with its position. */
    private <T extends @Nullable Object> T at(SqlCall call, Supplier<T> look) {
        try {
            return look.get();
        } catch (SpillwayException e) {
            throw e.with(
                    SpillwayException.POSITION,
                    ExpressionParser.position(call.getParserPosition(), text));
        }
    }

    private void refuse(SqlCall call, Iterable<? extends @Nullable SqlNode> operands) {
        for (SqlNode operand : operands) {
            if (operand instanceof SqlNodeList list) {
                refuse(call, list);
                continue;
            }
            ColumnType type = operand == null ? null : nested(operand);
            if (operand != null && type != null) {
                throw new SpillwayException(
                                ErrorCode.TYPE_MISMATCH,
                                "%s is not supported for %s"
                                        .formatted(call.getOperator().getName(), type))
                        .with(SpillwayException.FOUND, type.toString())
                        .with(
                                SpillwayException.POSITION,
                                ExpressionParser.position(operand.getParserPosition(), text));
            }
        }
    }
}
