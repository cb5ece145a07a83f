package io.spillway.encode;

import io.spillway.batch.ColumnType.TimeUnit;

/**
 * Timestamps as strings: RFC 3339's {@code date-time}, with every digit of the unit, and with
 * {@code Z} only for instants; years outside 0000 to 9999 as {@link CivilDate} tells. The text of
 * the last date met is kept, since neighbouring rows often share it.
 */
final class TimestampText implements ValueText.Narrow {

    private static final int LONGEST = 2 + CivilDate.LONGEST + 1 + ClockTime.LONGEST + 1;

    private final TimeUnit unit;
    private final boolean utc;
    private final long unitsPerDay;

    /** The first and last count of the day whose date is kept. */
    private long first;

    private long last = Long.MIN_VALUE;

    /** That day's midnight, modulo 2^64: the day at either end of the range is not whole. */
    private long midnight;

    /** Quotation mark, date, and {@code T}. */
    private final byte[] prefix = new byte[3 * Long.BYTES];

    private int prefixLength;

    TimestampText(TimeUnit unit, boolean utc) {
        this.unit = unit;
        this.utc = utc;
        unitsPerDay = ClockTime.unitsPerDay(unit);
    }

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        int n = values.size;
        out.reserve((long) LONGEST * n);
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < n; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            long value = (long) Words.LONG.get(values.bytes, i * Long.BYTES);
            if (value < first || value > last) {
                keepDay(value);
            }
            int start = at;
            for (int k = 0; k < prefixLength; k += Long.BYTES) {
                Words.LONG.set(text, at + k, (long) Words.LONG.get(prefix, k));
            }
            at = ClockTime.write(text, at + prefixLength, value - midnight, unit);
            if (utc) {
                text[at++] = 'Z';
            }
            text[at++] = '"';
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    private void keepDay(long value) {
        long day = Math.floorDiv(value, unitsPerDay);
        midnight = day * unitsPerDay;
        long since = value - midnight;
        long left = unitsPerDay - 1 - since;
        first = value < Long.MIN_VALUE + since ? Long.MIN_VALUE : value - since;
        last = value > Long.MAX_VALUE - left ? Long.MAX_VALUE : value + left;
        prefix[0] = '"';
        int end = CivilDate.write(prefix, 1, day);
        prefix[end] = 'T';
        prefixLength = end + 1;
    }
}
