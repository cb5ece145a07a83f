package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arithmetic of integers that is null, rather than an error, where a value does not fit. */
final class Fitting {

    /** Holds what comes of any two integers: products of 64 bits have 38 digits. */
    private static final ColumnType.Decimal EXACT = new ColumnType.Decimal(38, 0);

    private Fitting() {}

    /**
     * An expression that never raises an error.
     *
     * @return has the value of the expression wherever that has one, and is null where an integer
     *     does not fit its type; null if there is more that could fail
     */
    static @Nullable Expression of(Expression expression) {
        if (Infallible.is(expression)) {
            return expression;
        }
        if (!(expression.type() instanceof ColumnType.Int(int _, boolean signed)) || !signed) {
            return null;
        }
        return switch (expression) {
            case Expression.Call call -> call(call);
            case Expression.Cast(var argument, var type, boolean _) -> {
                Expression value = argument.type() instanceof ColumnType.Int ? of(argument) : null;
                yield value == null ? null : new Expression.Cast(value, type, true);
            }
            case Expression.Column _, Expression.Literal _ -> expression;
            case Expression.Case _, Expression.In _ -> null;
        };
    }

    private static @Nullable Expression call(Expression.Call call) {
        if (call.function() != Function.ADD
                && call.function() != Function.SUBTRACT
                && call.function() != Function.MULTIPLY
                && call.function() != Function.NEGATE) {
            return null;
        }
        List<Expression> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            Expression value = of(argument);
            if (value == null) {
                return null;
            }
            arguments.add(new Expression.Cast(value, Coercions.decimal(argument.type()), false));
        }
        return new Expression.Cast(
                new Expression.Call(call.function(), arguments, EXACT), call.type(), true);
    }
}
