package io.spillway.encode;

/**
 * Days since 1970-01-01 as dates of the proleptic Gregorian calendar, by Howard Hinnant's
 * "chrono-compatible low-level date algorithms" ({@code civil_from_days}).
 */
final class CivilDate {

    /** The longest date: that of the largest number of seconds since the epoch. */
    static final int LONGEST = 19;

    private static final int DAYS_PER_ERA = 146_097;

    /** From 0000-03-01, where an era of 400 years begins, to the epoch. */
    private static final int DAYS_TO_EPOCH = 719_468;

    private CivilDate() {}

    /**
     * Writes {@code YYYY-MM-DD} and returns the next index. Years outside 0000 to 9999 have a sign
     * and as many digits as they need, at least four (ISO 8601's expanded form).
     */
    static int write(byte[] out, int at, long epochDay) {
        long day = epochDay + DAYS_TO_EPOCH;
        long era = Math.floorDiv(day, DAYS_PER_ERA);
        int dayOfEra = (int) (day - era * DAYS_PER_ERA);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        // Years, and the months counted here, begin in March, so that the leap day comes last.
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int marchMonth = (5 * dayOfYear + 2) / 153;
        int dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1;
        int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
        long year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
        int p = year(out, at, year);
        out[p] = '-';
        p = Digits.two(out, p + 1, month);
        out[p] = '-';
        return Digits.two(out, p + 1, dayOfMonth);
    }

    private static int year(byte[] out, int at, long year) {
        if (year >= 0 && year <= 9999) {
            return Digits.padded(out, at, (int) year, 4);
        }
        out[at] = (byte) (year < 0 ? '-' : '+');
        long magnitude = Math.abs(year);
        return magnitude <= 9999
                ? Digits.padded(out, at + 1, (int) magnitude, 4)
                : Digits.plain(out, at + 1, magnitude);
    }
}
