package io.spillway.scan.pruning;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Function;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/** Makes tests of expressions, and notes which columns they use. */
final class TestBuilder {

    private final BitSet compared = new BitSet();
    private final BitSet sought = new BitSet();

    BitSet compared() {
        return compared;
    }

    BitSet sought() {
        return sought;
    }

    Test test(Expression e, int depth) {
        if (depth >= Constants.MAX_DEPTH) {
            return unknown(e);
        }
        if (e instanceof Expression.In(var argument, var values)) {
            return in(argument, values, depth);
        }
        if (!(e instanceof Expression.Call call) || Constants.isConstant(e)) {
            Source source = source(e, depth);
            return facts -> Truths.of(source.of(facts));
        }
        List<Expression> arguments = call.arguments();
        return switch (call.function()) {
            case AND -> all(arguments, depth, Truths::and);
            case OR -> all(arguments, depth, Truths::or);
            case NOT -> not(test(arguments.getFirst(), depth + 1));
            case IS_TRUE -> isTrue(test(arguments.getFirst(), depth + 1));
            case IS_NOT_TRUE -> not(isTrue(test(arguments.getFirst(), depth + 1)));
            case IS_FALSE -> isTrue(not(test(arguments.getFirst(), depth + 1)));
            case IS_NOT_FALSE -> not(isTrue(not(test(arguments.getFirst(), depth + 1))));
            case IS_NULL -> isNull(arguments.getFirst(), depth);
            case IS_NOT_NULL -> not(isNull(arguments.getFirst(), depth));
            case EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL,
                    IS_DISTINCT_FROM,
                    IS_NOT_DISTINCT_FROM ->
                    comparison(call, depth);
            case LIKE -> like(call, depth);
            default -> unknown(e);
        };
    }

    private static Test not(Test operand) {
        return facts -> operand.of(facts).not();
    }

    private static Test isTrue(Test operand) {
        return facts -> operand.of(facts).isTrue();
    }

    private Test all(List<Expression> operands, int depth, BinaryOperator<Truths> both) {
        List<Test> tests = new ArrayList<>();
        operands.forEach(operand -> tests.add(test(operand, depth + 1)));
        List<Test> fixed = List.copyOf(tests);
        return facts -> {
            Truths truths = fixed.getFirst().of(facts);
            for (Test test : fixed.subList(1, fixed.size())) {
                truths = both.apply(truths, test.of(facts));
            }
            return truths;
        };
    }

    private Test isNull(Expression argument, int depth) {
        Source source = source(argument, depth + 1);
        return facts -> {
            ValueSet set = source.of(facts);
            return new Truths(set.mayBeNull(), set.mayBeValue(), false, set.mayFail());
        };
    }

    private Test comparison(Expression.Call call, int depth) {
        Expression first = call.arguments().get(0);
        Expression second = call.arguments().get(1);
        if (!comparable(first.type(), second.type())) {
            return unknown(call);
        }
        Source left = source(first, depth + 1);
        Source right = source(second, depth + 1);
        if (call.function() == Function.EQUAL
                || call.function() == Function.NOT_EQUAL
                || call.function() == Function.IS_DISTINCT_FROM
                || call.function() == Function.IS_NOT_DISTINCT_FROM) {
            noteSought(first, second);
            noteSought(second, first);
        }
        Function function = call.function();
        return facts -> compare(function, left.of(facts), right.of(facts));
    }

    private static boolean comparable(ColumnType a, ColumnType b) {
        return !a.isNested()
                && (a.equals(b)
                        || (a instanceof ColumnType.Decimal && b instanceof ColumnType.Decimal));
    }

    private static Truths compare(Function function, ValueSet a, ValueSet b) {
        return switch (function) {
            case EQUAL -> Truths.compared(a.mayEqual(b), a.mayDiffer(b), a, b);
            case NOT_EQUAL -> Truths.compared(a.mayDiffer(b), a.mayEqual(b), a, b);
            case LESS -> Truths.compared(a.mayBeLess(b), mayBeAtMost(b, a), a, b);
            case LESS_OR_EQUAL -> Truths.compared(mayBeAtMost(a, b), b.mayBeLess(a), a, b);
            case GREATER -> Truths.compared(b.mayBeLess(a), mayBeAtMost(a, b), a, b);
            case GREATER_OR_EQUAL -> Truths.compared(mayBeAtMost(b, a), a.mayBeLess(b), a, b);
            case IS_NOT_DISTINCT_FROM -> same(a, b);
            case IS_DISTINCT_FROM -> same(a, b).not();
            default -> throw new IllegalArgumentException(function + " is no comparison");
        };
    }

    private static boolean mayBeAtMost(ValueSet a, ValueSet b) {
        return a.mayBeLess(b) || a.mayEqual(b);
    }

    private static Truths same(ValueSet a, ValueSet b) {
        return new Truths(
                a.mayEqual(b) || (a.mayBeNull() && b.mayBeNull()),
                a.mayDiffer(b)
                        || (a.mayBeNull() && b.mayBeValue())
                        || (a.mayBeValue() && b.mayBeNull()),
                false,
                a.mayFail() || b.mayFail());
    }

    private Test in(Expression argument, List<Expression.Literal> values, int depth) {
        TreeSet<Scalar> wanted = new TreeSet<>();
        for (Expression.Literal value : values) {
            Scalar scalar = Scalar.of(value);
            if (scalar == null || !comparable(value.type(), argument.type())) {
                return unknown(argument);
            }
            wanted.add(scalar);
        }
        Source source = source(argument, depth + 1);
        if (root(argument) instanceof Expression.Column column) {
            sought.set(column.index());
        }
        ValueSet list = ValueSet.of(wanted, false);
        List<Scalar> sorted = List.copyOf(wanted);
        return facts -> {
            ValueSet set = source.of(facts);
            boolean mayBeIn = sorted.stream().anyMatch(set::mayBe);
            boolean allIn =
                    set.intervals().stream()
                            .allMatch(i -> i.isPoint() && i.low() != null && list.mayBe(i.low()));
            return new Truths(mayBeIn, !allIn, set.mayBeNull(), set.mayFail());
        };
    }

    private Test like(Expression.Call call, int depth) {
        LikePrefix prefix = LikePrefix.of(call);
        if (prefix == null) {
            return unknown(call);
        }
        Source source = source(call.arguments().getFirst(), depth + 1);
        return facts -> {
            ValueSet set = source.of(facts);
            return new Truths(
                    prefix.mayMatch(set), prefix.mayMiss(set), set.mayBeNull(), set.mayFail());
        };
    }

    private void noteSought(Expression value, Expression other) {
        if (root(value) instanceof Expression.Column column && Constants.isConstant(other)) {
            sought.set(column.index());
        }
    }

    /** What is under casts that keep values apart. */
    private static Expression root(Expression e) {
        Expression root = e;
        while (root instanceof Expression.Cast(var argument, var type, boolean _)
                && MonotoneCast.keepsApart(argument.type(), type)) {
            root = argument;
        }
        return root;
    }

    private Source source(Expression e, int depth) {
        if (e instanceof Expression.Column(int index, var _)) {
            compared.set(index);
            return facts -> facts.of(index);
        }
        if (Constants.isConstant(e)) {
            ValueSet constant = constant(e);
            return _ -> constant;
        }
        if (depth >= Constants.MAX_DEPTH) {
            return anything(e);
        }
        if (e instanceof Expression.Cast(var argument, var type, boolean safe)) {
            MonotoneCast cast = MonotoneCast.of(argument.type(), type);
            if (cast != null) {
                Source source = source(argument, depth + 1);
                return facts -> cast.apply(source.of(facts), safe);
            }
        } else if (e.type() instanceof ColumnType.Bool
                && (e instanceof Expression.Call || e instanceof Expression.In)) {
            Test test = test(e, depth + 1);
            return facts -> truthValues(test.of(facts));
        }
        return anything(e);
    }

    private static ValueSet constant(Expression e) {
        Expression.Literal literal;
        try {
            literal = ExpressionCompiler.constant(e);
        } catch (SpillwayException _) {
            return ValueSet.anythingOrFailure();
        }
        Scalar value = Scalar.of(literal);
        if (value != null) {
            return ValueSet.of(value);
        }
        return literal.value() == null ? ValueSet.nulls() : ValueSet.anythingOrFailure();
    }

    private static ValueSet truthValues(Truths truths) {
        List<Scalar> values = new ArrayList<>();
        if (truths.mayBeFalse()) {
            values.add(new Scalar.Whole(0));
        }
        if (truths.mayBeTrue()) {
            values.add(new Scalar.Whole(1));
        }
        ValueSet set = ValueSet.of(values, truths.mayBeNull());
        return new ValueSet(set.intervals(), null, set.mayBeNull(), truths.mayFail());
    }

    private static Test unknown(Expression e) {
        Truths truths = new Truths(true, true, true, !Constants.neverFails(e));
        return _ -> truths;
    }

    private static Source anything(Expression e) {
        ValueSet set = ValueSet.anything(!Constants.neverFails(e));
        return _ -> set;
    }
}
