package io.spillway.scan.parquet.footer;

import io.spillway.batch.OffHeap;
import io.spillway.expression.Civil;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;

/**
 * Timestamps in 96 bits, as Impala, Hive and Spark write them: nanoseconds of the day (8 bytes) and
 * the Julian day (4 bytes), little-endian. Days are those of the proleptic Gregorian calendar. A
 * time that is not within its day counts on into the days beside it.
 *
 * <p>Spark adds the Julian day of the epoch in 64 bits of microseconds, which overflow from the
 * year 285,000 on: days come out that 64 bits of microseconds do not reach, with a negative time.
 * Nothing else looks like that, so the overflow is undone.
 *
 * <p>Reused for one value after the other.
 */
public final class Int96Time {

    /** Bytes of a timestamp in a page. */
    public static final int BYTES = 12;

    static final long NANOS_PER_DAY = 86_400_000_000_000L;

    /** Bytes of the longest text: the year has up to seven digits and a sign. */
    public static final int LONGEST_TEXT = "+1234567-01-01T00:00:00.000000000".length();

    /** The Julian day of 1970-01-01. */
    private static final int EPOCH_DAY = 2_440_588;

    private static final int NANOS_DIGITS = 9;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_DAY = NANOS_PER_DAY / NANOS_PER_MICRO;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Civil date = new Civil();
    private long day;
    private long nanos;

    /** Becomes the timestamp at an address. */
    public void set(long address) {
        long time = OffHeap.getLong(address);
        long since = (long) OffHeap.getInt(address + Long.BYTES) - EPOCH_DAY;
        if (time < 0 && Math.abs(since) > Long.MAX_VALUE / MICROS_PER_DAY) {
            long micros = since * MICROS_PER_DAY + time / NANOS_PER_MICRO;
            day = Math.floorDiv(micros, MICROS_PER_DAY);
            nanos = Math.floorMod(micros, MICROS_PER_DAY) * NANOS_PER_MICRO;
        } else {
            day = since + Math.floorDiv(time, NANOS_PER_DAY);
            nanos = Math.floorMod(time, NANOS_PER_DAY);
        }
    }

    /** Days since 1970-01-01, with a magnitude below 2 to the 32nd. */
    long day() {
        return day;
    }

    /** Nanoseconds of the day. */
    long nanos() {
        return nanos;
    }

    /**
     * Writes the timestamp in ISO form, {@code 2026-03-08T02:30:00.123456789}, always with nine
     * digits of the second; years outside 0000 to 9999 have a sign.
     *
     * @return the address behind it
     */
    public long write(long out) {
        date.set(day);
        long year = date.year();
        long at = out;
        if (year < 0 || year > 9999) {
            OffHeap.putByte(at++, (byte) (year < 0 ? '-' : '+'));
            year = Math.abs(year);
        }
        at = number(at, (int) year, Math.max(4, digits(year)), '-');
        at = number(at, date.month(), 2, '-');
        at = number(at, date.day(), 2, 'T');
        int second = (int) (nanos / NANOS_PER_SECOND);
        at = number(at, second / 3600, 2, ':');
        at = number(at, second / 60 % 60, 2, ':');
        at = number(at, second % 60, 2, '.');
        return number(at, (int) (nanos % NANOS_PER_SECOND), NANOS_DIGITS, '\0') - 1;
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /** Writes digits and a character behind them, and returns the address behind that. */
    private static long number(long at, int number, int digits, char behind) {
        int rest = number;
        for (int i = digits - 1; i >= 0; i--) {
            OffHeap.putByte(at + i, (byte) ('0' + rest % 10));
            rest /= 10;
        }
        OffHeap.putByte(at + digits, (byte) behind);
        return at + digits + 1;
    }

    @Override
    public String toString() {
        try (Arena arena = Arena.ofConfined()) {
            long start = arena.allocate(LONGEST_TEXT + 1L).address();
            byte[] text = new byte[(int) (write(start) - start)];
            OffHeap.read(start, text, 0, text.length);
            return new String(text, StandardCharsets.US_ASCII);
        }
    }
}
