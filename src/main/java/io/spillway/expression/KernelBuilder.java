package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns expressions into kernels: folds what is constant, wraps what depends on one column so that
 * dictionaries are used, and leaves each family of functions to its own factory. Used for one
 * expression.
 */
final class KernelBuilder {

    private final List<DictionaryValue> derived = new ArrayList<>();

    /**
     * Whether parts without columns are computed now. Not while one is being computed, and not
     * below one that raised an error: each level of it would be tried over and over again.
     */
    private boolean folds;

    /** Below a wrapped part nothing is wrapped again. */
    private boolean wrapped;

    KernelBuilder(boolean folds) {
        this.folds = folds;
    }

    /** What holds memory between evaluations. */
    List<DictionaryValue> derived() {
        return derived;
    }

    Value value(Expression expression) {
        return switch (expression) {
            case Expression.Column(int index, ColumnType type) -> new ColumnValue(index, type);
            case Expression.Literal literal ->
                    new ConstantValue(literal.type(), Literals.parse(literal));
            case Expression.Call _, Expression.Cast _, Expression.Case _, Expression.In _ ->
                    switch (ColumnUse.of(expression)) {
                        case ColumnUse.None() -> folded(expression);
                        case ColumnUse.Many() -> unfolded(expression);
                        case ColumnUse.One(Expression.Column column) ->
                                ofOneColumn(expression, column);
                    };
        };
    }

    private Value folded(Expression expression) {
        // There are no literals of nested types.
        if (!folds || expression.type().isNested()) {
            return unfolded(expression);
        }
        try {
            return value(ExpressionCompiler.constant(expression));
        } catch (SpillwayException e) {
            return switch (e.code()) {
                case ARITHMETIC_OVERFLOW, DIVISION_BY_ZERO, INVALID_CAST, MEMORY_LIMIT -> {
                    folds = false;
                    Value raising = unfolded(expression);
                    folds = true;
                    yield raising;
                }
                default -> throw e;
            };
        }
    }

    private Value ofOneColumn(Expression expression, Expression.Column column) {
        // Nested columns are plain in every place, made ones as well.
        if (wrapped || readsValidityOnly(expression) || expression.type().isNested()) {
            return unfolded(expression);
        }
        if (expression.type() instanceof ColumnType.Bool) {
            return new ConditionValue(condition(expression));
        }
        wrapped = true;
        Value inner = unfolded(expression);
        wrapped = false;
        DictionaryValue value = new DictionaryValue(inner, column.index(), column.type());
        derived.add(value);
        return value;
    }

    /** A kernel for the expression itself; its parts may be folded and wrapped. */
    Value unfolded(Expression expression) {
        return switch (expression) {
            case Expression.Column _, Expression.Literal _ -> value(expression);
            case Expression.Call call -> FunctionKernels.value(call, this);
            case Expression.Cast(Expression argument, ColumnType type, boolean safe) ->
                    CastKernels.of(value(argument), type, safe);
            case Expression.Case choice -> choice(choice);
            case Expression.In in -> new ConditionValue(membership(in));
        };
    }

    private Value choice(Expression.Case choice) {
        List<CaseValue.Branch> branches = new ArrayList<>();
        for (Expression.Branch branch : choice.branches()) {
            branches.add(new CaseValue.Branch(condition(branch.when()), value(branch.then())));
        }
        return new CaseValue(branches, value(choice.otherwise()), choice.type());
    }

    Condition condition(Expression expression) {
        return switch (expression) {
            case Expression.Column _ -> new ValueCondition(value(expression));
            case Expression.Literal literal -> constant(literal);
            case Expression.Call _, Expression.Cast _, Expression.Case _, Expression.In _ ->
                    switch (ColumnUse.of(expression)) {
                        case ColumnUse.None() ->
                                folded(expression) instanceof ConstantValue folded
                                        ? constant(folded.constant())
                                        : unfoldedCondition(expression);
                        case ColumnUse.Many() -> unfoldedCondition(expression);
                        case ColumnUse.One(Expression.Column column) ->
                                conditionOfOneColumn(expression, column);
                    };
        };
    }

    private Condition conditionOfOneColumn(Expression expression, Expression.Column column) {
        if (wrapped || readsValidityOnly(expression)) {
            return unfoldedCondition(expression);
        }
        wrapped = true;
        Condition inner = unfoldedCondition(expression);
        wrapped = false;
        return new DictionaryCondition(inner, column.index(), column.type());
    }

    private Condition unfoldedCondition(Expression expression) {
        return switch (expression) {
            case Expression.Call call when ConditionKernels.handles(call.function()) ->
                    ConditionKernels.of(call, this);
            case Expression.In in -> membership(in);
            case Expression.Column _,
                    Expression.Literal _,
                    Expression.Call _,
                    Expression.Cast _,
                    Expression.Case _ ->
                    new ValueCondition(unfolded(expression));
        };
    }

    private Condition membership(Expression.In in) {
        if (in.argument().type().isNested()) {
            throw Failures.unsupported("IN is not supported for " + in.argument().type());
        }
        List<Constant> constants = new ArrayList<>();
        for (Expression.Literal literal : in.values()) {
            if (!literal.type().equals(in.argument().type())) {
                throw Failures.unsupported(
                        "IN compares %s with %s".formatted(in.argument().type(), literal.type()));
            }
            constants.add(Literals.parse(literal));
        }
        return new TestCondition(value(in.argument()), InTests.in(in.argument().type(), constants));
    }

    private static Condition constant(Expression.Literal literal) {
        return constant(Literals.parse(literal));
    }

    private static Condition constant(Constant constant) {
        return new ConstantCondition(
                constant instanceof Constant.Fixed fixed ? fixed.low() != 0 : null);
    }

    /** The null tests of a column look at no value. */
    private static boolean readsValidityOnly(Expression expression) {
        return expression instanceof Expression.Call call
                && (call.function() == Function.IS_NULL || call.function() == Function.IS_NOT_NULL)
                && call.arguments().getFirst() instanceof Expression.Column;
    }
}
