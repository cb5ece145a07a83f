package io.spillway.expression;

/**
 * The proleptic Gregorian calendar over days since 1970-01-01, in integers, for every day that 64
 * bits of seconds reach. After H. Hinnant, "chrono-Compatible Low-Level Date Algorithms": the year
 * is taken to start on 1 March, so that the leap day is its last, and 400 years are an era of
 * 146,097 days.
 */
public final class Civil {

    static final long SECONDS_PER_DAY = 86_400;

    private static final int DAYS_PER_ERA = 146_097;
    private static final int EPOCH_DAYS = 719_468; // from 0000-03-01

    private long year;
    private int month;
    private int day;

    /** The astronomical year: 0 is the one before 1. */
    public long year() {
        return year;
    }

    /** From 1. */
    public int month() {
        return month;
    }

    /** From 1. */
    public int day() {
        return day;
    }

    /** Becomes the date of a day. */
    public void set(long epochDay) {
        long shifted = epochDay + EPOCH_DAYS;
        long era = Math.floorDiv(shifted, DAYS_PER_ERA);
        int dayOfEra = (int) (shifted - era * DAYS_PER_ERA);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    }

    /** The day of a date, which need not exist in its month. */
    static long epochDay(long year, int month, int day) {
        long y = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(y, 400);
        int yearOfEra = (int) (y - era * 400);
        int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * DAYS_PER_ERA + dayOfEra - EPOCH_DAYS;
    }

    static boolean isLeap(long year) {
        return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    /** Number of days of a month. */
    static int daysOf(long year, int month) {
        return switch (month) {
            case 2 -> isLeap(year) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    int dayOfYear() {
        return (int) (epochDay(year, month, day) - epochDay(year, 1, 1)) + 1;
    }
}
