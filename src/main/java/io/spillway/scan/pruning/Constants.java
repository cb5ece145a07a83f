package io.spillway.scan.pruning;

import io.spillway.expression.Expression;
import java.util.List;
import java.util.function.Predicate;

/** What an expression shows without any rows. */
final class Constants {

    /** Deeper parts are not looked at. */
    static final int MAX_DEPTH = 200;

    private Constants() {}

    /** Whether the expression has no columns; false if it is too deep to tell. */
    static boolean isConstant(Expression e) {
        return all(e, MAX_DEPTH, part -> !(part instanceof Expression.Column));
    }

    /** Whether no row whatever makes the expression raise an error; false if that is not sure. */
    static boolean neverFails(Expression e) {
        return all(
                e,
                MAX_DEPTH,
                part ->
                        switch (part) {
                            case Expression.Column _, Expression.Literal _ -> true;
                            case Expression.Case _, Expression.In _ -> true;
                            case Expression.Call call -> call.function().isTotal(call.type());
                            case Expression.Cast(var argument, var type, boolean safe) ->
                                    safe || MonotoneCast.keepsApart(argument.type(), type);
                        });
    }

    /** Whether something holds for all parts of an expression of a limited depth. */
    private static boolean all(Expression e, int depth, Predicate<Expression> test) {
        if (depth == 0 || !test.test(e)) {
            return false;
        }
        return switch (e) {
            case Expression.Column _, Expression.Literal _ -> true;
            case Expression.Call call -> all(call.arguments(), depth, test);
            case Expression.Cast cast -> all(cast.argument(), depth - 1, test);
            case Expression.Case choice -> {
                for (Expression.Branch b : choice.branches()) {
                    if (!all(List.of(b.when(), b.then()), depth, test)) {
                        yield false;
                    }
                }
                yield all(choice.otherwise(), depth - 1, test);
            }
            case Expression.In in -> all(in.argument(), depth - 1, test);
        };
    }

    private static boolean all(List<Expression> list, int depth, Predicate<Expression> test) {
        for (Expression e : list) {
            if (!all(e, depth - 1, test)) {
                return false;
            }
        }
        return true;
    }
}
