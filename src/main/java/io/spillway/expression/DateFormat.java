package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/** STRFTIME: dates and timestamps as texts of a pattern. */
final class DateFormat implements Value {

    private static final ColumnType TYPE = new ColumnType.Utf8();
    private static final Field FIELD = Vectors.field(TYPE);
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int BYTES_PER_VALUE = 24;

    private final LongOperand argument;
    private final DatePattern pattern;
    private final long perSecond;
    private final Civil civil = new Civil();
    private final Civil isoYear = new Civil();
    private final TextBuilder text = new TextBuilder();

    DateFormat(Value argument, DatePattern pattern) {
        this.argument = new LongOperand(argument);
        this.pattern = pattern;
        this.perSecond = TemporalUnit.perSecond(argument.type());
        if (perSecond < 0 || argument.type() instanceof ColumnType.Time) {
            throw Failures.unsupported("STRFTIME of " + argument.type());
        }
    }

    @Override
    public ColumnType type() {
        return TYPE;
    }

    @Override
    public boolean total() {
        return argument.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        long[] x = input.scratch().left;
        try (LongOperand.Rows values = argument.open(input);
                BytesOutput out =
                        new BytesOutput(
                                FIELD, rows, (long) rows * BYTES_PER_VALUE, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            values.restrict(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                values.load(from, count, x);
                for (int i = 0; i < count; i++) {
                    text.clear();
                    if (Bits.get(out.validity(), from + i)) {
                        format(x[i]);
                    }
                    out.append(text.bytes(), text.length());
                }
            }
            return Operand.owned(out.take());
        }
    }

    private void format(long value) {
        long seconds = perSecond == 0 ? 0 : Math.floorDiv(value, perSecond);
        long day = perSecond == 0 ? value : Math.floorDiv(seconds, Civil.SECONDS_PER_DAY);
        int second = (int) Math.floorMod(seconds, Civil.SECONDS_PER_DAY);
        long nanos =
                perSecond == 0
                        ? 0
                        : Math.floorMod(value, perSecond) * (NANOS_PER_SECOND / perSecond);
        civil.set(day);
        for (DatePattern.Part part : pattern.parts()) {
            switch (part) {
                case DatePattern.Text(String literal) -> text.append(literal);
                case DatePattern.Field(char letter, boolean padded) ->
                        field(letter, padded, day, second, nanos);
            }
        }
    }

    private void field(char letter, boolean padded, long day, int second, long nanos) {
        int hour = second / 3600;
        int weekday = (int) Math.floorMod(day + 4, 7L);
        switch (letter) {
            case 'Y' -> year(civil.year());
            case 'y' -> number(Math.floorMod(civil.year(), 100), 2, padded);
            case 'G' -> year(isoYear(day));
            case 'V' -> {
                isoYear(day);
                number((isoYear.dayOfYear() - 1) / 7 + 1, 2, padded);
            }
            case 'm' -> number(civil.month(), 2, padded);
            case 'b' -> text.append(DatePattern.MONTHS.get(civil.month() - 1).substring(0, 3));
            case 'B' -> text.append(DatePattern.MONTHS.get(civil.month() - 1));
            case 'd' -> number(civil.day(), 2, padded);
            case 'j' -> number(civil.dayOfYear(), 3, padded);
            case 'a' -> text.append(DatePattern.DAYS.get(weekday).substring(0, 3));
            case 'A' -> text.append(DatePattern.DAYS.get(weekday));
            case 'w' -> number(weekday, 1, padded);
            case 'u' -> number(weekday == 0 ? 7 : weekday, 1, padded);
            case 'H' -> number(hour, 2, padded);
            case 'I' -> number((hour + 11) % 12 + 1, 2, padded);
            case 'p' -> text.append(hour < 12 ? "AM" : "PM");
            case 'M' -> number(second / 60 % 60, 2, padded);
            case 'S' -> number(second % 60, 2, padded);
            case 'g' -> number(nanos / 1_000_000, 3, padded);
            case 'f' -> number(nanos / 1_000, 6, padded);
            case 'n' -> number(nanos, 9, padded);
            default -> throw new IllegalStateException(letter + " is no field");
        }
    }

    /** The year of the week's Thursday. */
    private long isoYear(long day) {
        isoYear.set(day - Math.floorMod(day + 3, 7L) + 3);
        return isoYear.year();
    }

    private void year(long year) {
        if (year < 0) {
            text.append('-');
        }
        text.digits(Math.abs(year), 4);
    }

    private void number(long number, int width, boolean padded) {
        text.digits(number, padded ? width : 1);
    }
}
