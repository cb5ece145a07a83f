package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/** A date, time or timestamp moved by a number of months, or of the units in which it counts. */
final class TemporalShift implements Value {

    /** Moves one moment. */
    private interface Move {
        /** The result, or an {@link ArithmeticException}. */
        long apply(long moment, long by);
    }

    private static final long MONTHS_PER_YEAR = 12;

    private final Function function;
    private final LongOperand moment;
    private final LongOperand by;
    private final ColumnType type;
    private final Field field;
    private final Move move;
    private final Civil civil = new Civil();

    /**
     * @param function {@link Function#ADD_MONTHS} or {@link Function#ADD_UNITS}
     */
    TemporalShift(Function function, Value moment, Value by) {
        this.function = function;
        this.moment = new LongOperand(moment);
        this.by = new LongOperand(by);
        this.type = moment.type();
        this.field = Vectors.field(type);
        if (!by.type().equals(new ColumnType.Int(64, true))) {
            throw unsupported(by.type());
        }
        boolean months = function == Function.ADD_MONTHS;
        this.move =
                switch (type) {
                    case ColumnType.Date() -> months ? this::months : TemporalShift::days;
                    case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean _) -> {
                        long perDay = Math.multiplyExact(Civil.SECONDS_PER_DAY, unit.perSecond());
                        yield months
                                ? (value, count) -> monthsOf(value, count, perDay)
                                : Math::addExact;
                    }
                    case ColumnType.Time(ColumnType.TimeUnit unit) when !months -> {
                        long perDay = Math.multiplyExact(Civil.SECONDS_PER_DAY, unit.perSecond());
                        yield (value, count) ->
                                Math.floorMod(value + Math.floorMod(count, perDay), perDay);
                    }
                    case ColumnType.Bool _,
                            ColumnType.Int _,
                            ColumnType.FloatingPoint _,
                            ColumnType.Decimal _,
                            ColumnType.Utf8 _,
                            ColumnType.Binary _,
                            ColumnType.FixedBinary _,
                            ColumnType.Time _,
                            ColumnType.ListOf _,
                            ColumnType.Struct _,
                            ColumnType.MapOf _ ->
                            throw unsupported(type);
                };
    }

    private RuntimeException unsupported(ColumnType of) {
        return Failures.unsupported(function + " of " + of);
    }

    private static long days(long day, long count) {
        return Math.toIntExact(Math.addExact(day, count));
    }

    private long months(long day, long count) {
        return Math.toIntExact(shifted(day, count));
    }

    private long monthsOf(long moment, long count, long perDay) {
        long day = shifted(Math.floorDiv(moment, perDay), count);
        return Math.addExact(Math.multiplyExact(day, perDay), Math.floorMod(moment, perDay));
    }

    /** The day of the month stays, unless that month has fewer days: then it is its last. */
    private long shifted(long day, long count) {
        civil.set(day);
        long months =
                Math.addExact(
                        Math.multiplyExact(civil.year(), MONTHS_PER_YEAR) + civil.month() - 1,
                        count);
        long year = Math.floorDiv(months, MONTHS_PER_YEAR);
        if (Math.abs(year) > Integer.MAX_VALUE) {
            throw new ArithmeticException("overflow");
        }
        int month = (int) Math.floorMod(months, MONTHS_PER_YEAR) + 1;
        return Civil.epochDay(year, month, Math.min(civil.day(), Civil.daysOf(year, month)));
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
        return LongPairs.evaluate(moment, by, type, field, input, this::apply);
    }

    private long apply(long value, long count) {
        try {
            return move.apply(value, count);
        } catch (ArithmeticException e) {
            throw Failures.overflow("%s(%d, %d)".formatted(function, value, count), type);
        }
    }
}
