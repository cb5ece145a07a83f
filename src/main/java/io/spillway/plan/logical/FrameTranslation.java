package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.operator.window.WindowFrame;
import io.spillway.operator.window.WindowFrame.Bound;
import java.math.BigDecimal;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Frames of windows, with offsets in the units of what they count. */
final class FrameTranslation {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final long MILLIS_PER_DAY = 86_400_000;

    private final WindowFrame.Unit unit;
    private final @Nullable ColumnType key;

    private FrameTranslation(WindowFrame.Unit unit, @Nullable ColumnType key) {
        this.unit = unit;
        this.key = key;
    }

    /**
     * The frame of a window.
     *
     * @param key type of the one key of the order; null if it has none or several
     * @param unordered all rows of a partition are peers
     */
    static WindowFrame frame(RexWindow window, @Nullable ColumnType key, boolean unordered) {
        WindowFrame.Unit unit = window.isRows() ? WindowFrame.Unit.ROWS : WindowFrame.Unit.RANGE;
        if (unordered && unit == WindowFrame.Unit.RANGE) {
            return WindowFrame.PARTITION;
        }
        FrameTranslation translation = new FrameTranslation(unit, key);
        Bound start = translation.bound(window.getLowerBound());
        Bound end = translation.bound(window.getUpperBound());
        boolean all =
                start.kind() == Bound.Kind.UNBOUNDED_PRECEDING
                        && end.kind() == Bound.Kind.UNBOUNDED_FOLLOWING;
        return all ? WindowFrame.PARTITION : new WindowFrame(unit, start, end);
    }

    private Bound bound(RexWindowBound bound) {
        if (bound.isUnboundedPreceding()) {
            return new Bound(Bound.Kind.UNBOUNDED_PRECEDING, null);
        }
        if (bound.isUnboundedFollowing()) {
            return new Bound(Bound.Kind.UNBOUNDED_FOLLOWING, null);
        }
        if (bound.isCurrentRow()) {
            return new Bound(Bound.Kind.CURRENT_ROW, null);
        }
        RexNode offset = bound.getOffset();
        if (!(offset instanceof RexLiteral literal) || literal.isNull()) {
            throw RexTranslator.notSupported("A frame whose bounds are no constants");
        }
        return new Bound(
                bound.isPreceding() ? Bound.Kind.PRECEDING : Bound.Kind.FOLLOWING,
                unit == WindowFrame.Unit.ROWS ? rows(literal) : range(literal));
    }

    private static Literal rows(RexLiteral literal) {
        BigDecimal number =
                SqlTypeUtil.isExactNumeric(literal.getType())
                        ? literal.getValueAs(BigDecimal.class)
                        : null;
        if (number == null
                || number.signum() < 0
                || number.stripTrailingZeros().scale() > 0
                || number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new SpillwayException(
                    ErrorCode.INVALID_EXPRESSION,
                    "A frame of rows is bounded by an integer that is not negative");
        }
        return new Literal(INT64, number.toBigInteger().toString());
    }

    private Literal range(RexLiteral literal) {
        Literal offset =
                switch (key) {
                    case ColumnType.Int type -> number(literal, type);
                    case ColumnType.Decimal type -> number(literal, type);
                    case ColumnType.FloatingPoint type -> number(literal, type);
                    case ColumnType.Date() -> interval(literal, BigDecimal.valueOf(MILLIS_PER_DAY));
                    case ColumnType.Time(TimeUnit of) -> interval(literal, perUnit(of));
                    case ColumnType.Timestamp(TimeUnit of, boolean _) ->
                            interval(literal, perUnit(of));
                    case null, default -> null;
                };
        if (offset == null) {
            throw new SpillwayException(
                    ErrorCode.TYPE_MISMATCH,
                    "A frame of a RANGE with an offset needs one key in its order, and an offset"
                            + " that is exact in the key's type and not negative");
        }
        return offset;
    }

    private static @Nullable Literal number(RexLiteral literal, ColumnType key) {
        if (!SqlTypeUtil.isNumeric(literal.getType())
                || !(Coercions.cast(RexTranslator.translate(literal), key)
                        instanceof Expression.Literal number)) {
            return null;
        }
        String value = number.value();
        return value == null || value.startsWith("-") ? null : number;
    }

    private static BigDecimal perUnit(TimeUnit unit) {
        return BigDecimal.valueOf(1_000).divide(BigDecimal.valueOf(unit.perSecond()));
    }

    /**
     * An interval of days and time, which Calcite counts in milliseconds.
     *
     * @param millis of the unit in which the key counts
     */
    private static @Nullable Literal interval(RexLiteral literal, BigDecimal millis) {
        SqlTypeName name = literal.getType().getSqlTypeName();
        BigDecimal value =
                SqlTypeName.DAY_INTERVAL_TYPES.contains(name)
                        ? literal.getValueAs(BigDecimal.class)
                        : null;
        if (value == null || value.signum() < 0) {
            return null;
        }
        BigDecimal[] parts = value.divideAndRemainder(millis);
        return parts[1].signum() == 0 && parts[0].precision() - parts[0].scale() <= 18
                ? new Literal(INT64, parts[0].toBigInteger().toString())
                : null;
    }
}
