package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Units of time in which moments are cut off and counted. Those of a day and more are numbered
 * along the calendar: weeks start on Monday, centuries and millennia with their year 1.
 */
public enum TemporalUnit {
    MILLENNIUM(0),
    CENTURY(0),
    DECADE(0),
    YEAR(0),
    QUARTER(0),
    MONTH(0),
    WEEK(0),
    DAY(0),
    HOUR(3_600_000_000_000L),
    MINUTE(60_000_000_000L),
    SECOND(1_000_000_000L),
    MILLISECOND(1_000_000L),
    MICROSECOND(1_000L),
    NANOSECOND(1L);

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int THURSDAY_TO_MONDAY = 3;

    private final long nanos;

    TemporalUnit(long nanos) {
        this.nanos = nanos;
    }

    /** The unit of a name, in any case, singular or plural; or null. */
    public static @Nullable TemporalUnit find(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (TemporalUnit unit : values()) {
            boolean plural = upper.equals(unit.name() + "S");
            if (upper.equals(unit.name()) || plural) {
                return unit;
            }
        }
        return switch (upper) {
            case "CENTURIES" -> CENTURY;
            case "MILLENNIA" -> MILLENNIUM;
            default -> null;
        };
    }

    /** Does it count whole days? */
    public boolean ofDays() {
        return nanos == 0;
    }

    /**
     * How many of a type's own units it is, for a unit below a day; 0 if it is less than one.
     *
     * @param perSecond of the type's units
     */
    public long width(long perSecond) {
        return nanos / (NANOS_PER_SECOND / perSecond);
    }

    /** How many of it a day has, for a unit below a day. */
    long perDay() {
        return Civil.SECONDS_PER_DAY * NANOS_PER_SECOND / nanos;
    }

    /** How many of this unit one of a type's own units is; for a unit finer than the type's. */
    long factor(long perSecond) {
        return NANOS_PER_SECOND / perSecond / nanos;
    }

    /** The number, along the calendar, of the unit that a day is in. */
    long number(long day, Civil civil) {
        if (this == DAY) {
            return day;
        }
        if (this == WEEK) {
            return Math.floorDiv(day + THURSDAY_TO_MONDAY, 7);
        }
        civil.set(day);
        long year = civil.year();
        return switch (this) {
            case MILLENNIUM -> Math.floorDiv(year - 1, 1000);
            case CENTURY -> Math.floorDiv(year - 1, 100);
            case DECADE -> Math.floorDiv(year, 10);
            case QUARTER -> 4 * year + (civil.month() - 1) / 3;
            case MONTH -> 12 * year + civil.month() - 1;
            default -> year;
        };
    }

    /** The first day of the unit of a number. */
    long firstDay(long number) {
        return switch (this) {
            case MILLENNIUM -> Civil.epochDay(1000 * number + 1, 1, 1);
            case CENTURY -> Civil.epochDay(100 * number + 1, 1, 1);
            case DECADE -> Civil.epochDay(10 * number, 1, 1);
            case QUARTER ->
                    Civil.epochDay(
                            Math.floorDiv(number, 4), 3 * (int) Math.floorMod(number, 4L) + 1, 1);
            case MONTH ->
                    Civil.epochDay(
                            Math.floorDiv(number, 12), (int) Math.floorMod(number, 12L) + 1, 1);
            case WEEK -> 7 * number - THURSDAY_TO_MONDAY;
            case DAY -> number;
            default -> Civil.epochDay(number, 1, 1);
        };
    }

    /** Units of a date, timestamp or time in a second; 0 for a date; -1 for all other types. */
    static long perSecond(ColumnType type) {
        return switch (type) {
            case ColumnType.Date() -> 0;
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean _) -> unit.perSecond();
            case ColumnType.Time(ColumnType.TimeUnit unit) -> unit.perSecond();
            default -> -1;
        };
    }
}
