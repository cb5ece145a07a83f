package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * DATE_DIFF: how often a new unit starts on the way from one moment to another, which is negative
 * backwards. From 31 December to 1 January it is a year.
 */
final class TemporalDifference implements Value {

    private static final ColumnType.Int TYPE = new ColumnType.Int(64, true);
    private static final Field FIELD = Vectors.field(TYPE);

    private final TemporalUnit unit;
    private final LongOperand from;
    private final LongOperand to;
    private final long perSecond;
    private final long perDay;
    private final Civil civil = new Civil();

    TemporalDifference(TemporalUnit unit, Value from, Value to) {
        this.unit = unit;
        this.from = new LongOperand(from);
        this.to = new LongOperand(to);
        ColumnType type = from.type();
        this.perSecond = TemporalUnit.perSecond(type);
        this.perDay = perSecond == 0 ? 1 : Civil.SECONDS_PER_DAY * perSecond;
        boolean dayOfTime = type instanceof ColumnType.Time && unit.ofDays();
        if (perSecond < 0 || dayOfTime || !to.type().equals(type)) {
            throw Failures.unsupported(
                    "DATE_DIFF of %s and %s in %s".formatted(type, to.type(), unit));
        }
    }

    @Override
    public ColumnType type() {
        return TYPE;
    }

    @Override
    public boolean total() {
        return false;
    }

    @Override
    public Operand evaluate(Input input) {
        return LongPairs.evaluate(from, to, TYPE, FIELD, input, this::between);
    }

    private long between(long first, long second) {
        try {
            long difference = Math.subtractExact(number(second), number(first));
            return finer() ? Math.multiplyExact(difference, unit.factor(perSecond)) : difference;
        } catch (ArithmeticException e) {
            throw Failures.overflow("DATE_DIFF('%s', %d, %d)".formatted(unit, first, second), TYPE);
        }
    }

    /** Is it a unit of which one of the type's own has several? */
    private boolean finer() {
        return perSecond != 0 && !unit.ofDays() && unit.width(perSecond) == 0;
    }

    private long number(long value) {
        if (unit.ofDays()) {
            return unit.number(Math.floorDiv(value, perDay), civil);
        }
        if (perSecond == 0) {
            return Math.multiplyExact(value, unit.perDay());
        }
        long width = unit.width(perSecond);
        return width == 0 ? value : Math.floorDiv(value, width);
    }
}
