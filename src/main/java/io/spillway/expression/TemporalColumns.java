package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;

/** Columns of texts as dates and timestamps. */
final class TemporalColumns {

    private static final int DATE = 10;
    private static final int MINUTES = 16;
    private static final int SECONDS = 19;
    private static final int MOST_FRACTION = 9;
    private static final long NOTHING = Long.MIN_VALUE;

    private TemporalColumns() {}

    /** The day of {@code 2026-03-08}, or {@link #NOTHING}. */
    private static long day(long at) {
        long year = DigitRuns.few(at, 4);
        long month = two(at + 5);
        long day = two(at + 8);
        boolean is =
                (year | month | day) >= 0
                        && OffHeap.getByte(at + 4) == '-'
                        && OffHeap.getByte(at + 7) == '-'
                        && month >= 1
                        && month <= 12
                        && day >= 1
                        && day <= Civil.daysOf(year, (int) month);
        return is ? Civil.epochDay(year, (int) month, (int) day) : NOTHING;
    }

    private static long two(long at) {
        int tens = OffHeap.getByte(at) - '0';
        int ones = OffHeap.getByte(at + 1) - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : 10L * tens + ones;
    }

    /** Dates of four digits of a year. */
    static final class Dates extends TextColumn {

        Dates(TextValues exact) {
            super(exact);
        }

        @Override
        int read(
                long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data) {
            for (int row = 0; row < rows; row++) {
                if (!Bits.get(valid, row)) {
                    continue;
                }
                long at = base + starts[row];
                int length = lengths[row] & mask;
                long day = length == DATE ? day(at) : NOTHING;
                if (day != NOTHING) {
                    OffHeap.putInt(data + (long) Integer.BYTES * row, (int) day);
                } else if (!readExactly(at, length, data, row)) {
                    return row;
                }
            }
            return rows;
        }
    }

    /** Dates with a time of day, without an offset or with a Z. */
    static final class Timestamps extends TextColumn {

        /** Years whose nanoseconds fit 64 bits, whatever the rest. */
        private static final long FIRST_DAY = Civil.epochDay(1678, 1, 1);

        private static final long LAST_DAY = Civil.epochDay(2261, 12, 31);

        private final int unitDigits;
        private final long perSecond;
        private final boolean nanos;

        Timestamps(ColumnType.TimeUnit unit, TextValues exact) {
            super(exact);
            this.unitDigits = unit.digits();
            this.perSecond = unit.perSecond();
            this.nanos = unit.digits() == MOST_FRACTION;
        }

        @Override
        int read(
                long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data) {
            for (int row = 0; row < rows; row++) {
                if (!Bits.get(valid, row)) {
                    continue;
                }
                long at = base + starts[row];
                int length = lengths[row] & mask;
                long value = length >= MINUTES ? timestamp(at, length) : NOTHING;
                if (value != NOTHING) {
                    OffHeap.putLong(data + (long) Long.BYTES * row, value);
                } else if (!readExactly(at, length, data, row)) {
                    return row;
                }
            }
            return rows;
        }

        private long timestamp(long at, int length) {
            long day = day(at);
            byte between = OffHeap.getByte(at + DATE);
            int end = OffHeap.getByte(at + length - 1) == 'Z' ? length - 1 : length;
            long hour = two(at + DATE + 1);
            long minute = two(at + DATE + 4);
            if (day == NOTHING
                    || (between != 'T' && between != ' ')
                    || hour < 0
                    || hour > 23
                    || minute < 0
                    || minute > 59
                    || OffHeap.getByte(at + DATE + 3) != ':'
                    || (nanos && (day < FIRST_DAY || day > LAST_DAY))) {
                return NOTHING;
            }
            long second = 0;
            long fraction = 0;
            if (end != MINUTES) {
                second = end >= SECONDS && OffHeap.getByte(at + MINUTES) == ':' ? two(at + 17) : -1;
                fraction = end == SECONDS ? 0 : fraction(at + SECONDS, end - SECONDS);
            }
            if (second < 0 || second > 59 || fraction < 0) {
                return NOTHING;
            }
            long seconds = day * Civil.SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
            return seconds * perSecond + fraction;
        }

        /** What stands from the point on, in the type's unit, or -1. */
        private long fraction(long at, int length) {
            int digits = length - 1;
            if (digits < 1 || digits > MOST_FRACTION || OffHeap.getByte(at) != '.') {
                return -1;
            }
            long number = DigitRuns.read(at + 1, digits);
            return number < 0 || digits <= unitDigits
                    ? number * Int128.power(Math.max(0, unitDigits - digits))
                    : number / Int128.power(digits - unitDigits);
        }
    }
}
