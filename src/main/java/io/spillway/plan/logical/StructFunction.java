package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.jspecify.annotations.Nullable;

/**
 * NAMED_STRUCT('name', value, …): values of any type as the fields of a struct, which is never null
 * itself. Numbers have the type that columns have in expressions.
 */
final class StructFunction extends SqlFunction {

    static final StructFunction NAMED_STRUCT = new StructFunction();

    private StructFunction() {
        super(
                Function.NAMED_STRUCT.name(),
                SqlKind.OTHER_FUNCTION,
                StructFunction::inferred,
                null,
                OperandTypes.variadic(SqlOperandCountRanges.from(1)),
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
    }

    /**
     * Checks what can be told of a call before it is validated: its names.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION}, {@code DUPLICATE_COLUMN}
     */
    static void check(SqlCall call) {
        List<@Nullable String> names = new ArrayList<>();
        for (int i = 0; i < call.operandCount(); i += 2) {
            names.add(
                    call.operand(i) instanceof SqlCharStringLiteral literal
                            ? literal.toValue()
                            : null);
        }
        checked(names, call.operandCount());
    }

    private static List<String> checked(List<@Nullable String> names, int operands) {
        if (operands % 2 != 0) {
            throw invalid("NAMED_STRUCT takes names and values in turns, and ends with a value");
        }
        Set<String> seen = new LinkedHashSet<>();
        for (String name : names) {
            if (name == null) {
                throw invalid("The name of a field of NAMED_STRUCT must be a constant text");
            }
            if (!seen.add(name)) {
                throw new SpillwayException(
                                ErrorCode.DUPLICATE_COLUMN,
                                "Two fields of NAMED_STRUCT are called '%s'".formatted(name))
                        .with(SpillwayException.FOUND, name);
            }
        }
        return List.copyOf(seen);
    }

    private static SpillwayException invalid(String message) {
        return new SpillwayException(ErrorCode.INVALID_EXPRESSION, message);
    }

    private static RelDataType inferred(SqlOperatorBinding binding) {
        List<@Nullable String> names = new ArrayList<>();
        List<ColumnType> types = new ArrayList<>();
        for (int i = 0; i < binding.getOperandCount(); i += 2) {
            names.add(
                    binding.isOperandLiteral(i, false)
                            ? binding.getOperandLiteralValue(i, String.class)
                            : null);
        }
        for (int i = 1; i < binding.getOperandCount(); i += 2) {
            types.add(QueryTypes.column(binding.getOperandType(i)));
        }
        return TypeMapping.toRel(type(checked(names, binding.getOperandCount()), types), false);
    }

    private static ColumnType type(List<String> names, List<ColumnType> types) {
        List<ColumnSchema> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            fields.add(
                    new ColumnSchema(names.get(i), TypeMapping.inExpression(types.get(i)), true));
        }
        return new ColumnType.Struct(fields);
    }

    /** A call of it as a resolved expression: of names and values in turns. */
    static Expression translate(RexCall call) {
        ColumnType.Struct type = (ColumnType.Struct) TypeMapping.toColumn(call.getType());
        List<Expression> arguments = new ArrayList<>(RexTranslator.operands(call));
        for (int i = 1; i < arguments.size(); i += 2) {
            ColumnType field = type.fields().get(i / 2).type();
            arguments.set(i, Coercions.cast(arguments.get(i), field));
        }
        return new Expression.Call(Function.NAMED_STRUCT, arguments, type);
    }
}
