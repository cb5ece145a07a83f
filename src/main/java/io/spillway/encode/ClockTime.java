package io.spillway.encode;

import io.spillway.batch.ColumnType.TimeUnit;

/** Times of day as text: {@code hh:mm:ss}, a point, and as many digits as the unit has. */
final class ClockTime {

    static final int LONGEST = "hh:mm:ss.nnnnnnnnn".length();

    private static final int SECONDS_PER_DAY = 86_400;
    private static final long COLONS = (long) ':' << 16 | (long) ':' << 40;

    private ClockTime() {}

    static long unitsPerDay(TimeUnit unit) {
        return SECONDS_PER_DAY * unit.perSecond();
    }

    /**
     * Writes a time and returns the next index.
     *
     * @param time units since midnight, less than a day
     */
    static int write(byte[] out, int at, long time, TimeUnit unit) {
        // Divisors are constants, so that no division is left.
        return switch (unit) {
            case SECOND -> seconds(out, at, (int) time);
            case MILLI -> {
                int second = (int) (time / 1_000);
                int p = seconds(out, at, second);
                out[p] = '.';
                yield Digits.padded(out, p + 1, (int) (time - second * 1_000L), 3);
            }
            case MICRO -> {
                int second = (int) (time / 1_000_000);
                int p = seconds(out, at, second);
                out[p] = '.';
                yield Digits.padded(out, p + 1, (int) (time - second * 1_000_000L), 6);
            }
            case NANO -> {
                int second = (int) (time / 1_000_000_000);
                int p = seconds(out, at, second);
                out[p] = '.';
                yield Digits.padded(out, p + 1, (int) (time - second * 1_000_000_000L), 9);
            }
        };
    }

    private static int seconds(byte[] out, int at, int secondOfDay) {
        int minuteOfDay = secondOfDay / 60;
        int hour = minuteOfDay / 60;
        int minute = minuteOfDay - hour * 60;
        int second = secondOfDay - minuteOfDay * 60;
        Words.LONG.set(
                out,
                at,
                Digits.pair(hour) | Digits.pair(minute) << 24 | Digits.pair(second) << 48 | COLONS);
        return at + Long.BYTES;
    }
}
