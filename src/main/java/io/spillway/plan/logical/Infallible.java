package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Function;
import java.math.BigInteger;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Which expressions have a value for every row. Only these may be computed for rows that would not
 * have met them where they were written: no row raises an error because a plan was made cheaper.
 * What is not known here is taken for fallible.
 */
final class Infallible {

    private Infallible() {}

    /** Never raises an error, whatever the row. */
    static boolean is(RexNode expression) {
        try {
            return is(RexTranslator.translate(expression));
        } catch (SpillwayException e) {
            // Whoever executes it will say so.
            return false;
        }
    }

    /** Never raises an error, whatever the row. Recurses as deep as the expression. */
    static boolean is(Expression expression) {
        return switch (expression) {
            case Expression.Column _, Literal _ -> true;
            case Expression.Call call ->
                    ((call.function().isTotal(call.type()) || dividesByConstant(call))
                                    && call.arguments().stream().allMatch(Infallible::is))
                            || constant(call);
            case Expression.Cast cast ->
                    (is(cast.argument())
                                    && (cast.safe()
                                            || widens(cast.argument().type(), cast.type())
                                            || holdsRemainder(cast.type(), cast.argument())))
                            || constant(cast);
            case Expression.Case choice ->
                    is(choice.otherwise())
                            && choice.branches().stream()
                                    .allMatch(b -> is(b.when()) && is(b.then()));
            case Expression.In in -> is(in.argument());
        };
    }

    /** A division of integers can fail by zero, and by -1, which turns the least into too much. */
    private static boolean dividesByConstant(Expression.Call call) {
        BigInteger divisor = divisor(call);
        return divisor != null
                && divisor.signum() != 0
                && !divisor.equals(BigInteger.ONE.negate());
    }

    /** The constant by which integers are divided; null if that is not what a call does. */
    private static @Nullable BigInteger divisor(Expression.Call call) {
        if ((call.function() != Function.DIVIDE && call.function() != Function.REMAINDER)
                || !(call.type() instanceof ColumnType.Int)
                || !constant(call.arguments().get(1))) {
            return null;
        }
        String value = ExpressionCompiler.constant(call.arguments().get(1)).value();
        return value == null ? null : new BigInteger(value);
    }

    /** A remainder is nearer to zero than its divisor, whose type SQL gives it. */
    private static boolean holdsRemainder(ColumnType type, Expression value) {
        if (!(type instanceof ColumnType.Int(int bits, boolean signed))
                || !signed
                || !(value instanceof Expression.Call call)
                || call.function() != Function.REMAINDER) {
            return false;
        }
        BigInteger divisor = divisor(call);
        return divisor != null && divisor.bitLength() < bits;
    }

    /** Every value of the one type is one of the other. */
    private static boolean widens(ColumnType from, ColumnType to) {
        return switch (from) {
            case ColumnType.Int(int bits, boolean signed) ->
                    switch (to) {
                        case ColumnType.Int(int width, boolean toSigned) ->
                                width > bits || (width == bits && signed == toSigned);
                        case ColumnType.Decimal(int precision, int scale) ->
                                precision - scale >= Coercions.decimal(from).precision();
                        case ColumnType.FloatingPoint(int width) -> width >= 32;
                        default -> false;
                    };
            case ColumnType.Decimal(int precision, int scale) ->
                    switch (to) {
                        case ColumnType.Decimal(int most, int places) ->
                                places >= scale && most - places >= precision - scale;
                        case ColumnType.FloatingPoint(int width) -> width == 64;
                        default -> false;
                    };
            case ColumnType.FloatingPoint(int bits) ->
                    to instanceof ColumnType.FloatingPoint(int width) && width >= bits;
            case ColumnType.FixedBinary _ -> to instanceof ColumnType.Binary;
            case ColumnType.Bool _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    from.equals(to);
        };
    }

    /** Every value of the one type is one of the other, and different ones are different there. */
    static boolean tellsApart(ColumnType from, ColumnType to) {
        return widens(from, to)
                && (!(to instanceof ColumnType.FloatingPoint)
                        || from instanceof ColumnType.FloatingPoint);
    }

    /** A constant has its value now, or raises its error now. */
    private static boolean constant(Expression expression) {
        if (!constantParts(expression)) {
            return false;
        }
        try {
            ExpressionCompiler.constant(expression);
            return true;
        } catch (SpillwayException e) {
            return false;
        }
    }

    private static boolean constantParts(Expression expression) {
        return switch (expression) {
            case Expression.Column _ -> false;
            case Literal _ -> true;
            case Expression.Call call ->
                    call.arguments().stream().allMatch(Infallible::constantParts);
            case Expression.Cast cast -> constantParts(cast.argument());
            case Expression.Case choice ->
                    constantParts(choice.otherwise())
                            && choice.branches().stream()
                                    .allMatch(
                                            b ->
                                                    constantParts(b.when())
                                                            && constantParts(b.then()));
            case Expression.In in -> constantParts(in.argument());
        };
    }
}
