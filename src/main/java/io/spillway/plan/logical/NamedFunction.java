package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;

/**
 * A function that Calcite does not know, or knows with another meaning: a call of one {@link
 * Function} with operands of fixed types, of which the last may be left out. An operand of another
 * type of the same family is cast to the one that is asked for.
 */
final class NamedFunction extends SqlFunction {

    private final Function function;
    private final List<ColumnType> parameters;

    private NamedFunction(
            Function function,
            SqlReturnTypeInference type,
            int required,
            List<ColumnType> parameters) {
        super(
                function.name(),
                SqlKind.OTHER_FUNCTION,
                type,
                null,
                OperandTypes.family(
                        parameters.stream().map(NamedFunction::family).toList(),
                        i -> i >= required),
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.function = function;
        this.parameters = parameters;
    }

    /**
     * A function with operands of these types, which must all be there.
     *
     * @param result its type
     */
    static NamedFunction of(Function function, ColumnType result, ColumnType... parameters) {
        return of(function, result, parameters.length, parameters);
    }

    /**
     * A function of which the last operands may be left out.
     *
     * @param required number of the operands that must be there
     */
    static NamedFunction of(
            Function function, ColumnType result, int required, ColumnType... parameters) {
        return new NamedFunction(
                function,
                binding -> TypeMapping.toRel(result, true),
                required,
                List.of(parameters));
    }

    private static SqlTypeFamily family(ColumnType type) {
        return switch (type) {
            case ColumnType.Utf8() -> SqlTypeFamily.CHARACTER;
            case ColumnType.Int _ -> SqlTypeFamily.INTEGER;
            case ColumnType.FloatingPoint _ -> SqlTypeFamily.NUMERIC;
            default -> throw new IllegalArgumentException("No function asks for " + type);
        };
    }

    /** Is it one whose last operand is a space if it is left out? */
    private boolean pads() {
        return function == Function.LPAD || function == Function.RPAD;
    }

    /** A call of it as a resolved expression. */
    Expression translate(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            arguments.add(
                    parameters.get(i) instanceof ColumnType.Utf8
                            ? FunctionTranslator.text(operands.get(i))
                            : Coercions.cast(operands.get(i), parameters.get(i)));
        }
        if (parameters.size() > operands.size() && pads()) {
            arguments.add(new Expression.Literal(new ColumnType.Utf8(), " "));
        }
        return new Expression.Call(function, arguments, TypeMapping.toColumn(call.getType()));
    }
}
