package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Function;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Dates, times and timestamps plus and minus intervals. An interval is no value of its own: it is a
 * literal, perhaps multiplied by an integer, added to others or negated, and becomes a number of
 * months, or of the units in which the moment counts.
 */
final class Intervals {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final BigDecimal MILLIS_PER_DAY = BigDecimal.valueOf(86_400_000);
    private static final BigDecimal MILLIS_PER_SECOND = BigDecimal.valueOf(1_000);

    /** Type of the moment that intervals are added to. */
    private final ColumnType type;

    private Intervals(ColumnType type) {
        this.type = type;
    }

    /** Is it a moment plus or minus an interval? */
    static boolean shifts(RexCall call) {
        return !SqlTypeUtil.isInterval(call.getType())
                && call.getOperands().stream().anyMatch(o -> SqlTypeUtil.isInterval(o.getType()));
    }

    /**
     * The moment that a call gives; a constant if its operands are.
     *
     * @param subtracts whether the interval is taken off
     */
    static Expression shifted(RexCall call, boolean subtracts) {
        List<RexNode> operands = call.getOperands();
        boolean behind = SqlTypeUtil.isInterval(operands.get(1).getType());
        RexNode interval = operands.get(behind ? 1 : 0);
        ColumnType type = TypeMapping.toColumn(call.getType());
        Expression moment =
                Coercions.cast(RexTranslator.translate(operands.get(behind ? 0 : 1)), type);
        Intervals intervals = new Intervals(type);
        Expression count = intervals.count(interval);
        Function function =
                isYearMonth(interval.getType()) ? Function.ADD_MONTHS : Function.ADD_UNITS;
        return folded(
                new Expression.Call(
                        function, List.of(moment, subtracts ? negated(count) : count), type));
    }

    private static boolean isYearMonth(RelDataType interval) {
        return interval.getSqlTypeName().isYearMonth();
    }

    /** How many months or units an interval is. */
    private Expression count(RexNode interval) {
        if (interval instanceof RexLiteral literal) {
            return new Literal(INT64, units(literal).toPlainString());
        }
        if (!(interval instanceof RexCall call)) {
            throw RexTranslator.notSupported("This interval");
        }
        return switch (call.getKind()) {
            case CAST -> count(call.getOperands().getFirst());
            case MINUS_PREFIX -> negated(count(call.getOperands().getFirst()));
            case PLUS -> combined(Function.ADD, call);
            case MINUS -> combined(Function.SUBTRACT, call);
            case TIMES -> multiplied(call);
            default -> throw RexTranslator.notSupported("This interval");
        };
    }

    private BigDecimal units(RexLiteral literal) {
        BigDecimal value = literal.getValueAs(BigDecimal.class);
        if (value == null) {
            throw RexTranslator.notSupported("An interval that is null");
        }
        if (isYearMonth(literal.getType())) {
            return value;
        }
        BigDecimal[] parts =
                switch (type) {
                    case ColumnType.Time(TimeUnit unit) -> inUnit(value, unit);
                    case ColumnType.Timestamp(TimeUnit unit, boolean _) -> inUnit(value, unit);
                    default -> value.divideAndRemainder(MILLIS_PER_DAY);
                };
        if (parts[1].signum() != 0) {
            throw new SpillwayException(
                            ErrorCode.TYPE_MISMATCH,
                            "An interval of %s ms cannot be added to a %s, which counts no such parts"
                                    .formatted(value.toPlainString(), type))
                    .with(SpillwayException.FOUND, type.toString())
                    .with(SpillwayException.EXPECTED, List.of("a cast to a finer type"));
        }
        return parts[0].setScale(0);
    }

    private static BigDecimal[] inUnit(BigDecimal millis, TimeUnit unit) {
        return millis.multiply(BigDecimal.valueOf(unit.perSecond()))
                .divideAndRemainder(MILLIS_PER_SECOND);
    }

    private Expression combined(Function function, RexCall call) {
        return folded(
                new Expression.Call(
                        function, call.getOperands().stream().map(this::count).toList(), INT64));
    }

    private Expression multiplied(RexCall call) {
        boolean behind = SqlTypeUtil.isInterval(call.getOperands().get(1).getType());
        Expression factor = RexTranslator.translate(call.getOperands().get(behind ? 0 : 1));
        if (!(factor.type() instanceof ColumnType.Int)) {
            throw RexTranslator.notSupported(
                    "An interval multiplied by a value of type " + factor.type());
        }
        return folded(
                new Expression.Call(
                        Function.MULTIPLY,
                        List.of(
                                count(call.getOperands().get(behind ? 1 : 0)),
                                Coercions.cast(factor, INT64)),
                        INT64));
    }

    private static Expression negated(Expression count) {
        return folded(new Expression.Call(Function.NEGATE, List.of(count), INT64));
    }

    /**
     * A constant in place of a call of constants, unless that raises an error: rows will say so.
     */
    private static Expression folded(Expression.Call call) {
        if (!call.arguments().stream().allMatch(Literal.class::isInstance)) {
            return call;
        }
        try {
            return ExpressionCompiler.constant(call);
        } catch (SpillwayException e) {
            return call;
        }
    }
}
