package io.spillway.expression;

import io.spillway.batch.ColumnType;

/**
 * Texts as dates, times and timestamps in ISO 8601's extended form: {@code 2026-03-08}, {@code
 * 02:30:00.123}, {@code 2026-03-08T02:30:00Z}, with a blank in place of the T, seconds left out, or
 * an offset from UTC. A timestamp with an offset is that instant, in UTC; without one it is taken
 * as it stands, and as UTC for a UTC type: no other zone is ever added. A date alone is midnight.
 * Digits of a second beyond the type's unit are cut off.
 */
final class TemporalParsers {

    private static final int MAX_FRACTION = 18;

    private TemporalParsers() {}

    /** Years of up to six digits, with a sign perhaps. */
    static final class Dates extends TextParser {

        @Override
        boolean parse(TextScanner text) {
            long day = date(text);
            return day != NOTHING && text.atEnd() && day == (int) day && found(day);
        }
    }

    /** Times of day. */
    static final class Times extends TextParser {

        private final ColumnType.TimeUnit unit;

        Times(ColumnType.TimeUnit unit) {
            this.unit = unit;
        }

        @Override
        boolean parse(TextScanner text) {
            long time = time(text, unit);
            return time != NOTHING && text.atEnd() && found(time);
        }
    }

    /** Date and time. */
    static final class Timestamps extends TextParser {

        private final ColumnType.TimeUnit unit;

        Timestamps(ColumnType.TimeUnit unit) {
            this.unit = unit;
        }

        @Override
        boolean parse(TextScanner text) {
            long day = date(text);
            if (day == NOTHING) {
                return false;
            }
            long time = 0;
            long offset = 0;
            if (!text.atEnd()) {
                if (!text.accept('T') && !text.accept('t') && !text.accept(' ')) {
                    return false;
                }
                time = time(text, unit);
                offset = offset(text);
                if (time == NOTHING || offset == NOTHING || !text.atEnd()) {
                    return false;
                }
            }
            // Day and offset are in range, so only the units can overflow.
            long seconds = day * Civil.SECONDS_PER_DAY - offset + time / unit.perSecond();
            long fraction = time % unit.perSecond();
            // Before the epoch the fraction is counted from the second above, which may be in
            // range where the one below is not.
            if (seconds < 0 && fraction > 0) {
                seconds++;
                fraction -= unit.perSecond();
            }
            long whole = seconds * unit.perSecond();
            if (Math.multiplyHigh(seconds, unit.perSecond()) != whole >> 63) {
                return false;
            }
            long value = whole + fraction;
            return ((whole ^ value) & (fraction ^ value)) >= 0 && found(value);
        }
    }

    private static final long NOTHING = Long.MIN_VALUE;

    /** A date as a day since the epoch, or {@link #NOTHING}. */
    private static long date(TextScanner text) {
        boolean negative = text.negative();
        long year = text.number(4, 6);
        if (year < 0 || !text.accept('-')) {
            return NOTHING;
        }
        long month = text.number(1, 2);
        if (month < 1 || month > 12 || !text.accept('-')) {
            return NOTHING;
        }
        long day = text.number(1, 2);
        long signed = negative ? -year : year;
        if (day < 1 || day > Civil.daysOf(signed, (int) month)) {
            return NOTHING;
        }
        return Civil.epochDay(signed, (int) month, (int) day);
    }

    /** A time of day in units since midnight, or {@link #NOTHING}. */
    private static long time(TextScanner text, ColumnType.TimeUnit unit) {
        long hour = text.number(1, 2);
        if (hour < 0 || hour > 23 || !text.accept(':')) {
            return NOTHING;
        }
        long minute = text.number(2, 2);
        if (minute < 0 || minute > 59) {
            return NOTHING;
        }
        long second = 0;
        long fraction = 0;
        if (text.accept(':')) {
            second = text.number(2, 2);
            if (second < 0 || second > 59) {
                return NOTHING;
            }
            if (text.accept('.')) {
                fraction = fraction(text, unit);
                if (fraction < 0) {
                    return NOTHING;
                }
            }
        }
        return (hour * 3600 + minute * 60 + second) * unit.perSecond() + fraction;
    }

    private static long fraction(TextScanner text, ColumnType.TimeUnit unit) {
        int start = text.position();
        long number = text.number(1, MAX_FRACTION);
        if (number < 0) {
            return number;
        }
        int digits = text.position() - start;
        for (; digits < unit.digits(); digits++) {
            number *= 10;
        }
        for (; digits > unit.digits(); digits--) {
            number /= 10;
        }
        return number;
    }

    /** Seconds east of UTC, 0 if none is written, or {@link #NOTHING}. */
    private static long offset(TextScanner text) {
        if (text.atEnd() || text.accept('Z') || text.accept('z')) {
            return 0;
        }
        boolean west = text.peek() == '-';
        if (!west && text.peek() != '+') {
            return NOTHING;
        }
        text.negative();
        long hours = text.number(2, 2);
        long minutes = 0;
        if (text.accept(':') || !text.atEnd()) {
            minutes = text.number(2, 2);
        }
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return NOTHING;
        }
        long seconds = hours * 3600 + minutes * 60;
        return west ? -seconds : seconds;
    }
}
