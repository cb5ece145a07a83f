package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Brings operands together: kernels work on operands of one type, so every difference becomes an
 * explicit cast here, to the smallest type that holds all values of both. Literals take the other
 * side's type where that changes nothing.
 */
final class Coercions {

    private static final int MAX_DIGITS = 38;

    private Coercions() {}

    /**
     * The type in which two values can be compared. A literal takes the other side's type if that
     * can hold it (next to a float, a decimal literal is the nearest float). Else integers and
     * decimals meet in a decimal with the digits of both, or, if these are more than 38 and neither
     * is a literal, in one of the finer scale, where a value that is too large raises an error;
     * whatever meets a float64, and whatever is exact and meets a float32, meets it as float64;
     * dates meet timestamps as timestamps, and of two units the finer counts.
     *
     * @throws SpillwayException {@code TYPE_MISMATCH} if there is none
     */
    static ColumnType common(Expression left, Expression right) {
        ColumnType a = left.type();
        ColumnType b = right.type();
        if (a.equals(b)) {
            return a;
        }
        if (nullLiteral(left)) {
            return b;
        }
        if (nullLiteral(right)) {
            return a;
        }
        if (fits(left, b)) {
            return b;
        }
        if (fits(right, a)) {
            return a;
        }
        ColumnType common = common(bare(left), bare(right));
        if (common == null && !(left instanceof Literal) && !(right instanceof Literal)) {
            common = narrowed(a, b);
        }
        if (common == null) {
            throw new SpillwayException(
                            ErrorCode.TYPE_MISMATCH,
                            "Values of type %s and %s cannot be compared without a cast"
                                    .formatted(a, b))
                    .with(SpillwayException.FOUND, a + ", " + b);
        }
        return common;
    }

    private static boolean nullLiteral(Expression expression) {
        return expression instanceof Literal(ColumnType _, @Nullable String value) && value == null;
    }

    /** Can a literal take the type of what it is compared with? A text never does. */
    private static boolean fits(Expression expression, ColumnType type) {
        return expression instanceof Literal literal
                && !(literal.type() instanceof ColumnType.Utf8)
                && LiteralCasts.exact(literal, type) != null;
    }

    /** A decimal literal needs no more digits than it shows. */
    private static ColumnType bare(Expression expression) {
        if (expression instanceof Literal(ColumnType.Decimal _, @Nullable String value)
                && value != null) {
            BigDecimal number = new BigDecimal(value).stripTrailingZeros();
            int scale = Math.max(0, number.scale());
            int whole = Math.max(0, number.precision() - number.scale());
            return new ColumnType.Decimal(Math.max(1, whole + scale), scale);
        }
        return expression.type();
    }

    private static @Nullable ColumnType common(ColumnType a, ColumnType b) {
        if (a instanceof ColumnType.Int(int x, boolean s)
                && b instanceof ColumnType.Int(int y, boolean t)
                && s == t) {
            return new ColumnType.Int(Math.max(x, y), s);
        }
        if (a instanceof ColumnType.FloatingPoint || b instanceof ColumnType.FloatingPoint) {
            return number(a) && number(b) ? new ColumnType.FloatingPoint(64) : null;
        }
        if (number(a) && number(b)) {
            return common(decimal(a), decimal(b));
        }
        if (a instanceof ColumnType.Time(TimeUnit x) && b instanceof ColumnType.Time(TimeUnit y)) {
            return new ColumnType.Time(finer(x, y));
        }
        if (bytes(a) && bytes(b)) {
            return new ColumnType.Binary();
        }
        return commonMoment(a, b);
    }

    private static @Nullable ColumnType commonMoment(ColumnType a, ColumnType b) {
        if (a instanceof ColumnType.Timestamp(TimeUnit x, boolean u)
                && b instanceof ColumnType.Timestamp(TimeUnit y, boolean v)) {
            return new ColumnType.Timestamp(finer(x, y), u || v);
        }
        if (a instanceof ColumnType.Timestamp && b instanceof ColumnType.Date) {
            return a;
        }
        return a instanceof ColumnType.Date && b instanceof ColumnType.Timestamp ? b : null;
    }

    private static @Nullable ColumnType common(ColumnType.Decimal a, ColumnType.Decimal b) {
        int scale = Math.max(a.scale(), b.scale());
        int whole = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
        return whole + scale <= MAX_DIGITS ? new ColumnType.Decimal(whole + scale, scale) : null;
    }

    /**
     * The decimal of the finer scale, for types whose values rarely have all digits, as of sums.
     */
    private static @Nullable ColumnType narrowed(ColumnType a, ColumnType b) {
        boolean exact =
                (a instanceof ColumnType.Decimal || a instanceof ColumnType.Int)
                        && (b instanceof ColumnType.Decimal || b instanceof ColumnType.Int);
        return exact
                ? new ColumnType.Decimal(
                        MAX_DIGITS, Math.max(decimal(a).scale(), decimal(b).scale()))
                : null;
    }

    private static boolean number(ColumnType type) {
        return type instanceof ColumnType.Int
                || type instanceof ColumnType.Decimal
                || type instanceof ColumnType.FloatingPoint;
    }

    private static boolean bytes(ColumnType type) {
        return type instanceof ColumnType.Binary || type instanceof ColumnType.FixedBinary;
    }

    /** The decimal that holds all values of an integer type; decimals are their own. */
    static ColumnType.Decimal decimal(ColumnType type) {
        return switch (type) {
            case ColumnType.Decimal decimal -> decimal;
            case ColumnType.Int(int bits, boolean _) ->
                    new ColumnType.Decimal(
                            switch (bits) {
                                case 8 -> 3;
                                case 16 -> 5;
                                case 32 -> 10;
                                default -> 20;
                            },
                            0);
            default -> throw new IllegalArgumentException(type + " is not exact");
        };
    }

    private static TimeUnit finer(TimeUnit a, TimeUnit b) {
        return a.digits() >= b.digits() ? a : b;
    }

    /** The expression with a type: itself, a literal of that type, or a cast. */
    static Expression cast(Expression expression, ColumnType type) {
        if (expression.type().equals(type)) {
            return expression;
        }
        if (expression instanceof Literal literal) {
            Literal converted = LiteralCasts.exact(literal, type);
            if (converted != null) {
                return converted;
            }
        }
        return new Expression.Cast(expression, type, false);
    }
}
