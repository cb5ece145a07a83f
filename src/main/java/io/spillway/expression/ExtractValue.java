package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A part of a date, timestamp or time as an integer. Timestamps are read in UTC, or as they stand
 * if they are local; seconds are whole.
 */
final class ExtractValue implements Value {

    private final Function part;
    private final LongOperand argument;

    /** Units of the argument in a second; 0 for dates, which count days. */
    private final long perSecond;

    private final ColumnType type;
    private final Field field;
    private final Civil civil = new Civil();

    ExtractValue(Function part, Value argument, ColumnType type) {
        this.part = part;
        this.argument = new LongOperand(argument);
        this.perSecond =
                switch (argument.type()) {
                    case ColumnType.Date() -> 0;
                    case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean _) ->
                            unit.perSecond();
                    case ColumnType.Time(ColumnType.TimeUnit unit) when isOfTime(part) ->
                            unit.perSecond();
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
                            throw Failures.unsupported(part + " of " + argument.type());
                };
        this.type = type;
        this.field = Vectors.field(type);
    }

    private static boolean isOfTime(Function part) {
        return switch (part) {
            case EXTRACT_HOUR,
                    EXTRACT_MINUTE,
                    EXTRACT_SECOND,
                    EXTRACT_MILLISECOND,
                    EXTRACT_MICROSECOND,
                    EXTRACT_NANOSECOND,
                    EXTRACT_EPOCH ->
                    true;
            default -> false;
        };
    }

    @Override
    public ColumnType type() {
        return type;
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
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            values.restrict(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                values.load(from, count, x);
                if (isOfTime(part)) {
                    extractTime(x, count);
                } else {
                    extractDate(x, count);
                }
                Longs.store(type, out.data(), from, count, x);
            }
            return Operand.owned(out.take());
        }
    }

    private void extractTime(long[] x, int count) {
        if (part == Function.EXTRACT_EPOCH) {
            for (int i = 0; i < count; i++) {
                x[i] =
                        perSecond == 0
                                ? x[i] * Civil.SECONDS_PER_DAY
                                : Math.floorDiv(x[i], perSecond);
            }
            return;
        }
        long fraction = fraction();
        if (fraction != 0) {
            for (int i = 0; i < count; i++) {
                x[i] = perSecond == 0 ? 0 : inMinute(x[i], fraction);
            }
            return;
        }
        long divisor =
                switch (part) {
                    case EXTRACT_HOUR -> 3600;
                    case EXTRACT_MINUTE -> 60;
                    default -> 1;
                };
        long modulus = part == Function.EXTRACT_HOUR ? 24 : 60;
        for (int i = 0; i < count; i++) {
            long seconds = perSecond == 0 ? 0 : Math.floorDiv(x[i], perSecond);
            x[i] = Math.floorMod(Math.floorDiv(seconds, divisor), modulus);
        }
    }

    /** Units in a second of a part below it; 0 for other parts. */
    private long fraction() {
        return switch (part) {
            case EXTRACT_MILLISECOND -> 1_000;
            case EXTRACT_MICROSECOND -> 1_000_000;
            case EXTRACT_NANOSECOND -> 1_000_000_000;
            default -> 0;
        };
    }

    private long inMinute(long value, long wanted) {
        long inMinute = Math.floorMod(value, 60 * perSecond);
        return wanted >= perSecond
                ? inMinute * (wanted / perSecond)
                : inMinute / (perSecond / wanted);
    }

    private void extractDate(long[] x, int count) {
        if (perSecond != 0) {
            for (int i = 0; i < count; i++) {
                x[i] = Math.floorDiv(Math.floorDiv(x[i], perSecond), Civil.SECONDS_PER_DAY);
            }
        }
        for (int i = 0; i < count; i++) {
            long day = x[i];
            // The ISO year is that of the week's Thursday.
            boolean iso = part == Function.EXTRACT_ISO_YEAR || part == Function.EXTRACT_WEEK;
            civil.set(iso ? day - Math.floorMod(day + 3, 7) + 3 : day);
            x[i] =
                    switch (part) {
                        case EXTRACT_DAY_OF_WEEK -> Math.floorMod(day + 4, 7); // a Thursday was 0
                        case EXTRACT_ISO_DAY_OF_WEEK -> Math.floorMod(day + 3, 7) + 1;
                        case EXTRACT_WEEK -> (civil.dayOfYear() - 1) / 7 + 1;
                        case EXTRACT_ISO_YEAR -> civil.year();
                        case EXTRACT_DECADE -> Math.floorDiv(civil.year(), 10);
                        case EXTRACT_CENTURY -> Math.floorDiv(civil.year() - 1, 100) + 1;
                        case EXTRACT_MILLENNIUM -> Math.floorDiv(civil.year() - 1, 1000) + 1;
                        case EXTRACT_YEAR -> civil.year();
                        case EXTRACT_QUARTER -> (civil.month() + 2) / 3;
                        case EXTRACT_MONTH -> civil.month();
                        case EXTRACT_DAY -> civil.day();
                        case EXTRACT_DAY_OF_YEAR -> civil.dayOfYear();
                        default -> throw new IllegalStateException(part + " is no part of a date");
                    };
        }
    }
}
