package io.spillway.expression;

import org.jspecify.annotations.Nullable;

/** How many different columns an expression reads, as far as it matters. */
sealed interface ColumnUse {

    /** None: the expression is a constant. */
    record None() implements ColumnUse {}

    /** One, perhaps more than once. */
    record One(Expression.Column column) implements ColumnUse {}

    /** Two or more. */
    record Many() implements ColumnUse {}

    static ColumnUse of(Expression expression) {
        return switch (expression) {
            case Expression.Column column -> new One(column);
            case Expression.Literal _ -> new None();
            case Expression.Call call -> of(call.arguments());
            case Expression.Cast cast -> of(cast.argument());
            case Expression.Case choice -> {
                ColumnUse use = of(choice.otherwise());
                for (Expression.Branch branch : choice.branches()) {
                    use = both(use, both(of(branch.when()), of(branch.then())));
                }
                yield use;
            }
            case Expression.In in -> of(in.argument());
        };
    }

    private static ColumnUse of(Iterable<Expression> expressions) {
        @Nullable ColumnUse use = null;
        for (Expression expression : expressions) {
            use = use == null ? of(expression) : both(use, of(expression));
            if (use instanceof Many) {
                break;
            }
        }
        return use == null ? new None() : use;
    }

    private static ColumnUse both(ColumnUse a, ColumnUse b) {
        return switch (a) {
            case None() -> b;
            case Many() -> a;
            case One(var column) ->
                    switch (b) {
                        case None() -> a;
                        case One(var other) -> column.equals(other) ? a : new Many();
                        case Many() -> b;
                    };
        };
    }
}
