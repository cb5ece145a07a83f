package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.List;

/** Logic, null tests, comparisons and LIKE: the functions whose result is a truth value. */
final class ConditionKernels {

    private ConditionKernels() {}

    static boolean handles(Function function) {
        return switch (function) {
            case AND,
                    OR,
                    NOT,
                    IS_NULL,
                    IS_NOT_NULL,
                    IS_TRUE,
                    IS_FALSE,
                    IS_NOT_TRUE,
                    IS_NOT_FALSE,
                    IS_NOT_DISTINCT_FROM,
                    IS_DISTINCT_FROM,
                    EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL,
                    LIKE,
                    REGEXP_LIKE,
                    ARRAY_CONTAINS,
                    STARTS_WITH,
                    ENDS_WITH,
                    CONTAINS ->
                    true;
            default -> false;
        };
    }

    static Condition of(Expression.Call call, KernelBuilder builder) {
        List<Expression> arguments = call.arguments();
        Expression first = arguments.getFirst();
        return switch (call.function()) {
            case AND -> Junction.and(arguments.stream().map(builder::condition).toList());
            case OR -> Junction.or(arguments.stream().map(builder::condition).toList());
            case NOT -> new NotCondition(builder.condition(first));
            case IS_NULL -> new IsNullCondition(builder.value(first));
            case IS_NOT_NULL -> new NotCondition(new IsNullCondition(builder.value(first)));
            case IS_TRUE -> new IsTrueCondition(builder.condition(first));
            case IS_NOT_TRUE -> new NotCondition(new IsTrueCondition(builder.condition(first)));
            case IS_FALSE -> new IsTrueCondition(new NotCondition(builder.condition(first)));
            case IS_NOT_FALSE ->
                    new NotCondition(
                            new IsTrueCondition(new NotCondition(builder.condition(first))));
            case IS_NOT_DISTINCT_FROM -> notDistinct(call, builder);
            case IS_DISTINCT_FROM -> new NotCondition(notDistinct(call, builder));
            case EQUAL -> compare(Comparison.EQUAL, call, builder);
            case NOT_EQUAL -> compare(Comparison.NOT_EQUAL, call, builder);
            case LESS -> compare(Comparison.LESS, call, builder);
            case LESS_OR_EQUAL -> compare(Comparison.LESS_OR_EQUAL, call, builder);
            case GREATER -> compare(Comparison.GREATER, call, builder);
            case GREATER_OR_EQUAL -> compare(Comparison.GREATER_OR_EQUAL, call, builder);
            case LIKE -> like(arguments, builder);
            case REGEXP_LIKE -> RegexKernels.like(arguments, builder.value(first));
            case ARRAY_CONTAINS ->
                    new ContainsElement(builder.value(first), builder.value(arguments.get(1)));
            case STARTS_WITH, ENDS_WITH, CONTAINS ->
                    TextCondition.of(
                            call.function(), arguments.stream().map(builder::value).toList());
            default -> throw new IllegalArgumentException(call.function() + " is no condition");
        };
    }

    private static Condition compare(
            Comparison comparison, Expression.Call call, KernelBuilder builder) {
        Value left = builder.value(call.arguments().get(0));
        Value right = builder.value(call.arguments().get(1));
        check(call, left, right);
        if (right instanceof ConstantValue constant && isKnown(constant)) {
            return withConstant(left, comparison, constant);
        }
        if (left instanceof ConstantValue constant && isKnown(constant)) {
            return withConstant(right, comparison.flipped(), constant);
        }
        return new PairCondition(left, right, pairTest(left.type(), comparison, right.type()));
    }

    /** A comparison with NULL is left to the general kernel, for the other side's errors. */
    private static boolean isKnown(ConstantValue constant) {
        return !(constant.constant() instanceof Constant.Null);
    }

    private static Condition withConstant(
            Value value, Comparison comparison, ConstantValue constant) {
        return switch (constant.constant()) {
            case Constant.Null() -> new ConstantCondition(null);
            case Constant.Bytes(byte[] bytes) ->
                    new TestCondition(value, BytesTests.compare(comparison, bytes));
            case Constant.Fixed fixed ->
                    new TestCondition(
                            value,
                            value.type() instanceof ColumnType.Decimal(int _, int scale)
                                            && constant.type()
                                                    instanceof
                                                    ColumnType.Decimal(int _, int constantScale)
                                    ? DecimalTests.compare(scale, comparison, fixed, constantScale)
                                    : KeyTests.compare(value.type(), comparison, fixed));
        };
    }

    private static Condition notDistinct(Expression.Call call, KernelBuilder builder) {
        Value left = builder.value(call.arguments().get(0));
        Value right = builder.value(call.arguments().get(1));
        check(call, left, right);
        return new DistinctCondition(
                left, right, pairTest(left.type(), Comparison.EQUAL, right.type()));
    }

    /** A comparison of two values of one type, or of two decimals. */
    static PairTest pairTest(ColumnType left, Comparison comparison, ColumnType right) {
        if (left instanceof ColumnType.Decimal(int _, int leftScale)
                && right instanceof ColumnType.Decimal(int _, int rightScale)) {
            return DecimalTests.compare(leftScale, comparison, rightScale);
        }
        return Keys.handles(left)
                ? KeyTests.compare(left, comparison)
                : BytesTests.compare(comparison);
    }

    private static void check(Expression.Call call, Value left, Value right) {
        for (Value side : List.of(left, right)) {
            if (side.type().isNested()) {
                throw Failures.unsupported(
                        "%s is not supported for %s".formatted(call.function(), side.type()));
            }
        }
        boolean decimals =
                left.type() instanceof ColumnType.Decimal
                        && right.type() instanceof ColumnType.Decimal;
        if (!decimals && !left.type().equals(right.type())) {
            throw Failures.unsupported(
                    "%s of %s and %s".formatted(call.function(), left.type(), right.type()));
        }
    }

    private static Condition like(List<Expression> arguments, KernelBuilder builder) {
        Value text = builder.value(arguments.get(0));
        if (!(text.type() instanceof ColumnType.Utf8)) {
            throw Failures.unsupported("LIKE of " + text.type());
        }
        Constant pattern = ConstantText.constant(arguments.get(1), "The pattern of LIKE");
        Constant escape =
                arguments.size() > 2
                        ? ConstantText.constant(arguments.get(2), "The escape character of LIKE")
                        : new Constant.Bytes(new byte[0]);
        if (pattern instanceof Constant.Bytes(byte[] p)
                && escape instanceof Constant.Bytes(byte[] e)) {
            LikeMatcher matcher = LikeMatcher.compile(p, arguments.size() > 2 ? e : null);
            return new TestCondition(text, BytesTests.bytes(matcher::matches));
        }
        return new ConstantCondition(null);
    }
}
