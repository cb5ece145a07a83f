package io.spillway.plan.logical;

import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;

/**
 * Can an expression be null? Told by what our functions do, which is simple: a null operand gives
 * null, tests for null and truth never do, and nothing else makes a null but NULL itself, a CASE
 * without a matching branch, and TRY_CAST, and functions that look for what need not be there.
 */
final class Nullability {

    private Nullability() {}

    static boolean of(Expression expression, RowSchema input) {
        return switch (expression) {
            case Expression.Column column -> input.column(column.index()).nullable();
            case Expression.Literal literal -> literal.value() == null;
            case Expression.Call call ->
                    switch (call.function()) {
                        case IS_NULL,
                                IS_NOT_NULL,
                                IS_TRUE,
                                IS_FALSE,
                                IS_NOT_TRUE,
                                IS_NOT_FALSE,
                                IS_DISTINCT_FROM,
                                IS_NOT_DISTINCT_FROM,
                                NAMED_STRUCT ->
                                false;
                        case REGEXP_EXTRACT, TRY_STRPTIME, JSON_VALUE, ELEMENT_AT, STRUCT_EXTRACT ->
                                true;
                        default -> call.arguments().stream().anyMatch(a -> of(a, input));
                    };
            case Expression.Cast cast -> cast.safe() || of(cast.argument(), input);
            case Expression.Case choice ->
                    of(choice.otherwise(), input)
                            || choice.branches().stream()
                                    .anyMatch(b -> !guarded(b) && of(b.then(), input));
            case Expression.In in -> of(in.argument(), input);
        };
    }

    /** WHEN x IS NOT NULL THEN x, as COALESCE is written. */
    private static boolean guarded(Expression.Branch branch) {
        return branch.when() instanceof Expression.Call call
                && call.function() == Function.IS_NOT_NULL
                && withoutCasts(branch.then()).equals(withoutCasts(call.arguments().getFirst()));
    }

    /** No conversion but TRY_CAST makes a null of a value. */
    private static Expression withoutCasts(Expression expression) {
        Expression inner = expression;
        while (inner instanceof Expression.Cast cast && !cast.safe()) {
            inner = cast.argument();
        }
        return inner;
    }
}
