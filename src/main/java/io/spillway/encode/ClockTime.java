package io.spillway.encode;

import io.spillway.batch.ColumnType.TimeUnit;

/** Times of day as text: {@code hh:mm:ss}, a point, and as many digits as the unit has. */
final class ClockTime {

    static final int LONGEST = "hh:mm:ss.nnnnnnnnn".length();

    private static final int SECONDS_PER_DAY = 86_400;
    private static final short ZEROS = '0' | '0' << 8;
    private static final long POINT_ZEROS = '.' | 0x30303030303030L << 8;
    private static final int MINUTES_PER_DAY = 24 * 60;
    private static final int MINUTE_BITS = "hh:mm:".length() * Byte.SIZE;

    /** {@code hh:mm:} of each minute of a day; the minutes of neighbouring rows are often near. */
    private static final long[] MINUTES = new long[MINUTES_PER_DAY];

    static {
        long colons = (long) ':' << 16 | (long) ':' << 40;
        for (int i = 0; i < MINUTES_PER_DAY; i++) {
            MINUTES[i] = Digits.pair(i / 60) | Digits.pair(i % 60) << 24 | colons;
        }
    }

    private ClockTime() {}

    static long unitsPerDay(TimeUnit unit) {
        return SECONDS_PER_DAY * unit.perSecond();
    }

    /**
     * Writes a time and returns the next index. May write up to six bytes more.
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
                yield fraction(out, p, (int) (time - second * 1_000L), 3);
            }
            case MICRO -> {
                int second = (int) (time / 1_000_000);
                int p = seconds(out, at, second);
                yield fraction(out, p, (int) (time - second * 1_000_000L), 6);
            }
            case NANO -> {
                int second = (int) (time / 1_000_000_000);
                int p = seconds(out, at, second);
                yield fraction(out, p, (int) (time - second * 1_000_000_000L), 9);
            }
        };
    }

    /** Whole seconds are common where times are to the second, whatever their unit is. */
    private static int fraction(byte[] out, int at, int fraction, int digits) {
        if (fraction == 0) {
            Words.LONG.set(out, at, POINT_ZEROS);
            if (digits >= Long.BYTES) {
                Words.SHORT.set(out, at + Long.BYTES, ZEROS);
            }
        } else {
            out[at] = '.';
            Digits.padded(out, at + 1, fraction, digits);
        }
        return at + 1 + digits;
    }

    private static int seconds(byte[] out, int at, int secondOfDay) {
        int minute = secondOfDay / 60;
        long second = Digits.pair(secondOfDay - minute * 60);
        Words.LONG.set(out, at, MINUTES[minute] | second << MINUTE_BITS);
        return at + Long.BYTES;
    }
}
