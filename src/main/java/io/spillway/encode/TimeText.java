package io.spillway.encode;

import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;

/**
 * Times of day as strings: RFC 3339's {@code partial-time}, with every digit of the unit. A count
 * that is negative or reaches the end of the day has no text.
 *
 * @param column its name, for errors
 */
record TimeText(String column, TimeUnit unit) implements ValueText.Narrow {

    private static final int LONGEST = ClockTime.LONGEST + 2;

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        int n = values.size;
        out.reserve((long) LONGEST * n);
        byte[] text = out.bytes;
        int at = out.end;
        boolean narrow = unit.digits() <= TimeUnit.MILLI.digits();
        long end = ClockTime.unitsPerDay(unit);
        for (int i = 0; i < n; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            long time =
                    narrow
                            ? (int) Words.INT.get(values.bytes, i * Integer.BYTES)
                            : (long) Words.LONG.get(values.bytes, i * Long.BYTES);
            if (time < 0 || time >= end) {
                throw outside(time, values.row(i));
            }
            int start = at;
            text[at] = '"';
            at = ClockTime.write(text, at + 1, time, unit);
            text[at++] = '"';
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    private SpillwayException outside(long time, int row) {
        return new SpillwayException(
                        ErrorCode.INVALID_CAST,
                        "The time of column '%s' in row %d of the batch, %d %s, is not within a day"
                                .formatted(column, row, time, unit.symbol()))
                .with(SpillwayException.COLUMN, column)
                .with(SpillwayException.ROW, row);
    }
}
