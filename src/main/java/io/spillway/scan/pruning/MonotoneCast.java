package io.spillway.scan.pruning;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A conversion that keeps the order of values: a bound stays one once it is converted. If both ends
 * of an interval can be converted, so can all values between them.
 */
record MonotoneCast(ColumnType from, ColumnType to) {

    /** The conversion, or null if it does not keep the order or is not known to. */
    static @Nullable MonotoneCast of(ColumnType from, ColumnType to) {
        boolean monotone =
                switch (from) {
                    case ColumnType.Int _ ->
                            to instanceof ColumnType.Int
                                    || to instanceof ColumnType.Decimal
                                    || to instanceof ColumnType.FloatingPoint;
                    case ColumnType.Decimal _ ->
                            to instanceof ColumnType.Decimal || to instanceof ColumnType.Int;
                    case ColumnType.FloatingPoint(int bits) ->
                            to instanceof ColumnType.FloatingPoint(int wider) && wider >= bits;
                    case ColumnType.Date() -> to instanceof ColumnType.Timestamp;
                    case ColumnType.Timestamp _ ->
                            to instanceof ColumnType.Timestamp || to instanceof ColumnType.Date;
                    case ColumnType.Time _ -> to instanceof ColumnType.Time;
                    case ColumnType _ -> false;
                };
        return monotone ? new MonotoneCast(from, to) : null;
    }

    /** Whether every value can be converted, and no two become one. */
    static boolean keepsApart(ColumnType from, ColumnType to) {
        return switch (from) {
            case ColumnType.Int(int bits, boolean signed) ->
                    switch (to) {
                        case ColumnType.Int(int wider, boolean signedToo) ->
                                signed == signedToo ? wider >= bits : !signed && wider > bits;
                        case ColumnType.Decimal(int precision, int scale) ->
                                precision - scale >= digits(bits);
                        case ColumnType.FloatingPoint(int width) ->
                                bits <= (width == 64 ? 32 : width == 32 ? 16 : 8);
                        case ColumnType _ -> false;
                    };
            case ColumnType.Decimal(int precision, int scale) ->
                    to instanceof ColumnType.Decimal(int p, int s)
                            && s >= scale
                            && p - s >= precision - scale;
            case ColumnType.FloatingPoint(int bits) ->
                    to instanceof ColumnType.FloatingPoint(int wider) && wider >= bits;
            case ColumnType _ -> from.equals(to);
        };
    }

    /** Decimal digits that an integer of so many bits may have. */
    private static int digits(int bits) {
        return switch (bits) {
            case 8 -> 3;
            case 16 -> 5;
            case 32 -> 10;
            default -> 20;
        };
    }

    /**
     * What values become.
     *
     * @param safe whether a value that cannot be converted becomes null
     */
    ValueSet apply(ValueSet set, boolean safe) {
        boolean open = false;
        List<Interval> intervals = new ArrayList<>(set.intervals().size());
        for (Interval interval : set.intervals()) {
            Scalar low = interval.low() == null ? null : convert(interval.low(), from, to);
            Scalar high = interval.high() == null ? null : convert(interval.high(), from, to);
            open |= low == null || high == null;
            intervals.add(new Interval(low, high));
        }
        boolean total = !open || keepsApart(from, to);
        return new ValueSet(
                intervals,
                members(set.members()),
                set.mayBeNull() || (safe && !total),
                set.mayFail() || (!safe && !total));
    }

    /** The same number as a type has it that has all numbers of the type before. */
    private static Scalar same(Scalar value, ColumnType to) {
        return switch (to) {
            case ColumnType.Decimal _ when value instanceof Scalar.Whole(long whole) ->
                    new Scalar.Exact(BigDecimal.valueOf(whole));
            case ColumnType.Int type
                    when Scalar.isUnsigned64(type) && value instanceof Scalar.Whole(long whole) ->
                    new Scalar.Exact(BigDecimal.valueOf(whole));
            case ColumnType.FloatingPoint _ when value instanceof Scalar.Whole(long whole) ->
                    new Scalar.Real((double) whole);
            case ColumnType _ -> value;
        };
    }

    /** A converted value occurs if the one it was made from does. */
    private @Nullable Predicate<Scalar> members(@Nullable Predicate<Scalar> own) {
        if (own == null || !keepsApart(from, to)) {
            return null;
        }
        return value -> {
            Scalar before = convert(value, to, from);
            return before != null && value.equals(convert(before, from, to)) && own.test(before);
        };
    }

    /** A value of another type, by the kernel that converts rows, or null if there is none. */
    private static @Nullable Scalar convert(Scalar value, ColumnType from, ColumnType to) {
        if (keepsApart(from, to)) {
            return same(value, to);
        }
        try {
            Expression.Literal literal = value.literal(from);
            return Scalar.of(ExpressionCompiler.constant(new Expression.Cast(literal, to, true)));
        } catch (SpillwayException _) {
            return null;
        }
    }
}
