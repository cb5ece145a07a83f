package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.OperandTypes;
import org.jspecify.annotations.Nullable;

/**
 * A function that takes lists, maps and structs apart. Its type is told by that of what it takes
 * apart; numbers come out with the type that columns have in expressions.
 */
final class NestedFunction extends SqlFunction {

    static final NestedFunction CARDINALITY = new NestedFunction(Function.CARDINALITY, 1);
    static final NestedFunction ELEMENT_AT = new NestedFunction(Function.ELEMENT_AT, 2);
    static final NestedFunction ARRAY_CONTAINS = new NestedFunction(Function.ARRAY_CONTAINS, 2);
    static final NestedFunction STRUCT_EXTRACT = new NestedFunction(Function.STRUCT_EXTRACT, 2);

    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    private final Function function;

    private NestedFunction(Function function, int operands) {
        super(
                function.name(),
                SqlKind.OTHER_FUNCTION,
                binding -> inferred(function, binding),
                null,
                operands == 1 ? OperandTypes.ANY : OperandTypes.ANY_ANY,
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.function = function;
    }

    private static RelDataType inferred(Function function, SqlOperatorBinding binding) {
        RelDataType operand = binding.getOperandType(0);
        String field =
                function == Function.STRUCT_EXTRACT && binding.isOperandLiteral(1, false)
                        ? binding.getOperandLiteralValue(1, String.class)
                        : null;
        ColumnType type = type(function, QueryTypes.column(operand), field);
        return operand instanceof ListRelType
                ? QueryTypes.exposed(type, true)
                : TypeMapping.toRel(TypeMapping.inExpression(type), true);
    }

    /** The type of a call of the function with a value of some type in front. */
    ColumnType type(ColumnType container, SqlCall call) {
        String field =
                function == Function.STRUCT_EXTRACT
                                && call.operand(1) instanceof SqlLiteral literal
                                && literal.getValue() != null
                        ? literal.toValue()
                        : null;
        return type(function, container, field);
    }

    private static ColumnType type(
            Function function, ColumnType container, @Nullable String field) {
        switch (function) {
            case CARDINALITY -> {
                if (container instanceof ColumnType.ListOf
                        || container instanceof ColumnType.MapOf) {
                    return INT64;
                }
            }
            case ELEMENT_AT -> {
                if (container instanceof ColumnType.ListOf list) {
                    return list.element();
                }
            }
            case ARRAY_CONTAINS -> {
                if (container instanceof ColumnType.ListOf list && !list.element().isNested()) {
                    return new ColumnType.Bool();
                }
            }
            default -> {
                if (container instanceof ColumnType.Struct(List<ColumnSchema> fields)
                        && field != null) {
                    return field(fields, field);
                }
            }
        }
        throw new SpillwayException(
                        ErrorCode.TYPE_MISMATCH,
                        "%s is not supported for %s".formatted(function, container))
                .with(SpillwayException.FOUND, container.toString());
    }

    private static ColumnType field(List<ColumnSchema> fields, String name) {
        for (ColumnSchema field : fields) {
            if (field.name().equals(name)) {
                return field.type();
            }
        }
        List<String> names = fields.stream().map(ColumnSchema::name).toList();
        throw new SpillwayException(
                        ErrorCode.UNKNOWN_COLUMN, "The struct has no field '%s'".formatted(name))
                .with(SpillwayException.FOUND, name)
                .with(SpillwayException.EXPECTED, names)
                .with(SpillwayException.SUGGESTION, NearestName.of(name, names));
    }

    /** A call of it as a resolved expression. */
    Expression translate(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        Expression container = operands.getFirst();
        String field =
                operands.size() > 1
                                && operands.get(1)
                                        instanceof
                                        Expression.Literal(
                                                ColumnType.Utf8 _,
                                                @Nullable String value)
                        ? value
                        : null;
        ColumnType type = type(function, container.type(), field);
        Expression result = new Expression.Call(function, arguments(operands), type);
        return Coercions.cast(result, TypeMapping.inExpression(type));
    }

    private List<Expression> arguments(List<Expression> operands) {
        Expression container = operands.getFirst();
        return switch (function) {
            case ELEMENT_AT -> {
                Expression index = operands.get(1);
                boolean counts =
                        index.type() instanceof ColumnType.Int
                                || (index instanceof Expression.Literal literal
                                        && literal.value() == null);
                if (!counts) {
                    throw new SpillwayException(
                            ErrorCode.TYPE_MISMATCH,
                            "A position in a list is an integer, not a value of type "
                                    + index.type());
                }
                yield List.of(container, Coercions.cast(index, INT64));
            }
            case ARRAY_CONTAINS -> contained(container, operands.get(1));
            default -> operands;
        };
    }

    /** List and value, both cast to a type that they have in common, if they have not one. */
    private static List<Expression> contained(Expression container, Expression value) {
        ColumnType.ListOf list = (ColumnType.ListOf) container.type();
        Expression element = new Expression.Column(0, list.element());
        ColumnType common = Coercions.common(element, value);
        return List.of(
                Coercions.cast(container, new ColumnType.ListOf(common, list.nullable())),
                Coercions.cast(value, common));
    }
}
