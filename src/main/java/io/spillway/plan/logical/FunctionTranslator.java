package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.Function;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.fun.SqlTrimFunction;

/**
 * Calls of named functions as calls of {@link Function}s, with operands of the types these ask for.
 */
final class FunctionTranslator {

    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final ColumnType INT32 = new ColumnType.Int(32, true);
    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final ColumnType FLOAT64 = new ColumnType.FloatingPoint(64);

    private FunctionTranslator() {}

    static Expression translate(RexCall call) {
        if (call.getOperator() instanceof NamedFunction function) {
            return function.translate(call);
        }
        if (call.getOperator() instanceof NestedFunction function) {
            return function.translate(call);
        }
        if (call.getOperator() instanceof StructFunction) {
            return StructFunction.translate(call);
        }
        return switch (call.getOperator().getName()) {
            case "ABS" -> RexTranslator.typed(Function.ABS, call);
            case "FLOOR" -> whole(Function.FLOOR, call);
            case "CEIL" -> whole(Function.CEIL, call);
            case "ROUND" -> round(call);
            case "SQRT" -> float64(Function.SQRT, call);
            case "POWER" -> float64(Function.POWER, call);
            case "LN" -> float64(Function.LN, call);
            case "EXP" -> float64(Function.EXP, call);
            case "UPPER" -> texts(Function.UPPER, call, TEXT);
            case "LOWER" -> texts(Function.LOWER, call, TEXT);
            case "CHAR_LENGTH" -> texts(Function.CHAR_LENGTH, call, INT32);
            case "REPLACE" -> texts(Function.REPLACE, call, TEXT);
            case "||", "CONCAT" -> concat(call);
            case "TRIM" -> trim(call);
            case "SUBSTRING" -> substring(call);
            case "POSITION" -> position(call);
            case "LIKE" -> like(call);
            case "ILIKE" -> FoldedLike.of(call);
            case "GREATEST" -> RexTranslator.typed(Function.GREATEST, call);
            case "LEAST" -> RexTranslator.typed(Function.LEAST, call);
            case "SIGN" -> sign(call);
            case "EXTRACT" -> extract(call);
            case "DATE_TRUNC" -> TemporalFunctions.truncation(call);
            case "DATE_BUCKET" -> TemporalFunctions.bucket(call);
            case "DATE_DIFF" -> TemporalFunctions.difference(call);
            case "DATE_ADD" -> TemporalFunctions.sum(call);
            case "DATE_PART" -> TemporalFunctions.part(call);
            case "STRFTIME" -> format(call);
            default -> throw RexTranslator.notSupported(call.getOperator().getName());
        };
    }

    /** Rounding to whole numbers leaves integers as they are. */
    private static Expression whole(Function function, RexCall call) {
        Expression operand = RexTranslator.operands(call).getFirst();
        ColumnType type = TypeMapping.toColumn(call.getType());
        if (operand.type() instanceof ColumnType.Int) {
            return Coercions.cast(operand, type);
        }
        return new Expression.Call(function, List.of(operand), type);
    }

    private static Expression round(RexCall call) {
        ColumnType type = TypeMapping.toColumn(call.getType());
        List<Expression> operands = RexTranslator.operands(call);
        List<Expression> arguments = new ArrayList<>();
        arguments.add(Coercions.cast(operands.getFirst(), type));
        if (operands.size() > 1) {
            arguments.add(Coercions.cast(operands.get(1), INT32));
        }
        return new Expression.Call(Function.ROUND, arguments, type);
    }

    private static Expression sign(RexCall call) {
        Expression operand = RexTranslator.operands(call).getFirst();
        ColumnType type = operand.type();
        return new Expression.Call(
                Function.SIGN,
                List.of(operand),
                type instanceof ColumnType.FloatingPoint ? type : INT32);
    }

    private static Expression float64(Function function, RexCall call) {
        return new Expression.Call(
                function,
                RexTranslator.operands(call).stream()
                        .map(operand -> Coercions.cast(operand, FLOAT64))
                        .toList(),
                FLOAT64);
    }

    private static Expression texts(Function function, RexCall call, ColumnType type) {
        return new Expression.Call(
                function,
                RexTranslator.operands(call).stream().map(FunctionTranslator::text).toList(),
                type);
    }

    /** Calcite's text functions take bytes too; ours do not. */
    static Expression text(Expression operand) {
        if (operand.type() instanceof ColumnType.Utf8) {
            return operand;
        }
        if (operand instanceof Literal literal && literal.value() == null) {
            return new Literal(TEXT, null);
        }
        throw RexTranslator.notSupported("A text function over values of type " + operand.type());
    }

    private static Expression concat(RexCall call) {
        List<Expression> flat = new ArrayList<>();
        for (Expression operand : RexTranslator.operands(call)) {
            if (operand instanceof Expression.Call inner && inner.function() == Function.CONCAT) {
                flat.addAll(inner.arguments());
            } else {
                flat.add(text(operand));
            }
        }
        return flat.size() == 1
                ? flat.getFirst()
                : new Expression.Call(Function.CONCAT, flat, TEXT);
    }

    /** Comes as TRIM(flag, characters, text). */
    private static Expression trim(RexCall call) {
        SqlTrimFunction.Flag flag =
                ((RexLiteral) call.getOperands().get(0)).getValueAs(SqlTrimFunction.Flag.class);
        Expression characters = RexTranslator.translate(call.getOperands().get(1));
        if (flag == null) {
            throw RexTranslator.notSupported("This form of TRIM");
        }
        Function function =
                switch (flag) {
                    case BOTH -> Function.TRIM;
                    case LEADING -> Function.LTRIM;
                    case TRAILING -> Function.RTRIM;
                };
        Expression text = text(RexTranslator.translate(call.getOperands().get(2)));
        return new Expression.Call(
                function,
                characters.equals(new Literal(TEXT, " "))
                        ? List.of(text)
                        : List.of(text, text(characters)),
                TEXT);
    }

    private static Expression substring(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        List<Expression> arguments = new ArrayList<>();
        arguments.add(text(operands.getFirst()));
        for (Expression position : operands.subList(1, operands.size())) {
            if (!(position.type() instanceof ColumnType.Int) && !nullLiteral(position)) {
                throw RexTranslator.notSupported(
                        "SUBSTRING at a position of type " + position.type());
            }
            arguments.add(Coercions.cast(position, INT32));
        }
        return new Expression.Call(Function.SUBSTRING, arguments, TEXT);
    }

    private static boolean nullLiteral(Expression expression) {
        return expression instanceof Literal literal && literal.value() == null;
    }

    /** SQL names what is looked for first, the function what is looked through. */
    private static Expression position(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        if (operands.size() != 2) {
            throw RexTranslator.notSupported("POSITION from a place on");
        }
        return new Expression.Call(
                Function.POSITION, List.of(text(operands.get(1)), text(operands.get(0))), INT32);
    }

    private static Expression like(RexCall call) {
        List<Expression> operands =
                RexTranslator.operands(call).stream().map(FunctionTranslator::text).toList();
        for (Expression pattern : operands.subList(1, operands.size())) {
            if (!(pattern instanceof Literal)) {
                throw RexTranslator.notSupported("LIKE with a pattern that is not a literal");
            }
        }
        return new Expression.Call(Function.LIKE, operands, RexTranslator.bool());
    }

    private static Expression format(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        return new Expression.Call(
                Function.STRFTIME, List.of(operands.get(0), text(operands.get(1))), TEXT);
    }

    private static Expression extract(RexCall call) {
        TimeUnitRange unit =
                ((RexLiteral) call.getOperands().get(0)).getValueAs(TimeUnitRange.class);
        Expression operand = RexTranslator.translate(call.getOperands().get(1));
        return new Expression.Call(TemporalFunctions.extraction(unit), List.of(operand), INT64);
    }
}
