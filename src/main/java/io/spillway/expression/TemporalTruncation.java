package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * DATE_TRUNC and DATE_BUCKET: the start of the unit, or of the units, in which a date, timestamp or
 * time of day is.
 */
final class TemporalTruncation implements Value {

    /** A Monday, and the first day of a year. */
    private static final long ORIGIN = Civil.epochDay(1900, 1, 1);

    /** Buckets of so many units of a day and more are made. */
    private static final long MOST_UNITS = 1_000_000;

    private final Function function;
    private final TemporalUnit unit;

    /** Units that belong together. */
    private final long units;

    /** Where units are counted from: a number along the calendar, or below {@link #width}. */
    private final long origin;

    /** Of the type's own units, for a unit below a day; 0 if it is finer than the type. */
    private final long width;

    private final LongOperand argument;
    private final ColumnType type;
    private final Field field;
    private final long perSecond;
    private final long perDay;
    private final Civil civil = new Civil();

    /**
     * @param function for the words of errors
     * @param units that belong together, counted from 1900-01-01; 1 at least
     */
    TemporalTruncation(Function function, TemporalUnit unit, long units, Value argument) {
        this.function = function;
        this.unit = unit;
        this.units = units;
        this.argument = new LongOperand(argument);
        this.type = argument.type();
        this.field = Vectors.field(type);
        this.perSecond = TemporalUnit.perSecond(type);
        this.perDay = perSecond == 0 ? 1 : Civil.SECONDS_PER_DAY * perSecond;
        boolean dayOfTime = type instanceof ColumnType.Time && unit.ofDays();
        if (perSecond < 0 || dayOfTime) {
            throw Failures.unsupported("%s of %s to %s".formatted(function, type, unit));
        }
        if (unit.ofDays() && units > MOST_UNITS) {
            throw tooMany();
        }
        this.width = unit.ofDays() ? 0 : width();
        if (unit.ofDays()) {
            this.origin = unit.number(ORIGIN, civil);
        } else {
            boolean ofDay = width == 0 || type instanceof ColumnType.Time;
            this.origin = ofDay ? 0 : Math.floorMod(ORIGIN * perDay, width);
        }
    }

    /** The type's own units in a bucket of units below a day; 0 if it cuts nothing off. */
    private long width() {
        long one = perSecond == 0 ? 0 : unit.width(perSecond);
        if (one == 0 ? units > 1 : units > Long.MAX_VALUE / one) {
            throw tooMany();
        }
        return one * units;
    }

    private SpillwayException tooMany() {
        return Failures.unsupported("%s of %s to %,d %s".formatted(function, type, units, unit));
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return false;
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        long[] x = input.scratch().left;
        try (LongOperand.Rows values = argument.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            values.restrict(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                values.load(from, count, x);
                for (int i = 0; i < count; i++) {
                    x[i] = Bits.get(out.validity(), from + i) ? start(x[i]) : 0;
                }
                Longs.store(type, out.data(), from, count, x);
            }
            return Operand.owned(out.take());
        }
    }

    private long start(long value) {
        try {
            if (unit.ofDays()) {
                long number = unit.number(Math.floorDiv(value, perDay), civil);
                long day = unit.firstDay(number - Math.floorMod(number - origin, units));
                return perSecond == 0 ? Math.toIntExact(day) : Math.multiplyExact(day, perDay);
            }
            if (width == 0) {
                return value;
            }
            long behind = Math.floorMod(value, width) - origin;
            return Math.subtractExact(value, behind < 0 ? behind + width : behind);
        } catch (ArithmeticException e) {
            throw Failures.overflow("%s('%s', %d)".formatted(function, unit, value), type);
        }
    }
}
