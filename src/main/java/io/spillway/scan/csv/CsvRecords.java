package io.spillway.scan.csv;

import io.spillway.batch.OffHeap;
import io.spillway.scan.text.Swar;
import io.spillway.scan.text.TextFault;

/**
 * Finds records and, of the columns that are wanted, where each field stands.
 *
 * <p>A record ends with a line feed, in front of which any number of carriage returns may stand, or
 * with the text. Empty lines are passed over, but are a record where records have a single field;
 * so are comments. A field is quoted if it begins with a quote; nothing may stand between its end
 * and the next delimiter. Everything else that RFC 4180 does not allow is an error, for what
 * follows a quote that does not belong there could mean anything.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4180">RFC 4180</a>
 */
final class CsvRecords {

    /** In a field's {@link #lengths}: it is quoted, and quotes or escapes stand in it. */
    static final int QUOTED = 1 << 31;

    static final int ESCAPED = 1 << 30;

    /** Length of a field, in its {@link #lengths}. */
    static final int LENGTH = ESCAPED - 1;

    private static final long LINE_FEED = Swar.repeat((byte) '\n');
    private static final long RETURN = Swar.repeat((byte) '\r');

    private final CsvDialect dialect;
    private final byte delimiter;
    private final byte quote;
    private final long delimiters;
    private final long quotes;
    private final long escapes;

    /** Fields of each record; 0 for the first one, which may have any number. */
    private final int fields;

    private final int[] slots;
    private final int[] noSlots;
    private final int[][] starts;
    private final int[][] lengths;

    private long base;
    private long next;
    private int fieldsFound;

    /**
     * @param fields of each record; 0 if they are to be counted
     * @param slots for each field the number of the place where it is noted, or -1
     * @param places that there are
     * @param most records that are noted at a time
     */
    CsvRecords(CsvDialect dialect, int fields, int[] slots, int places, int most) {
        this.dialect = dialect;
        this.delimiter = dialect.delimiter();
        this.quote = dialect.quote();
        this.delimiters = Swar.repeat(delimiter);
        this.quotes = dialect.hasQuotes() ? Swar.repeat(quote) : delimiters;
        this.escapes = dialect.hasQuotes() ? Swar.repeat(dialect.escape()) : delimiters;
        this.fields = fields;
        this.slots = slots;
        this.noSlots = new int[0];
        this.starts = new int[places][most];
        this.lengths = new int[places][most];
    }

    /** What places for so many records take on the heap. */
    static long bytes(int places, int most) {
        return 2L * Integer.BYTES * places * most;
    }

    /**
     * Finds records and notes their fields.
     *
     * @param limit records that begin behind it are left
     * @param last whether the text ends at {@code to}
     * @return how many
     */
    int read(long from, long limit, long to, boolean last, int most) {
        return find(from, limit, to, last, most, slots);
    }

    /** Finds records that nobody wants. */
    int skip(long from, long to, boolean last, long most) {
        return find(from, to, to, last, most, noSlots);
    }

    /** The address behind what was found or passed over last. */
    long next() {
        return next;
    }

    /** Fields of the record that was found last. */
    int fieldsFound() {
        return fieldsFound;
    }

    /** What {@link #starts} counts from. */
    long base() {
        return base;
    }

    /** Where the fields of a place begin, record by record: behind the quote, if there is one. */
    int[] starts(int place) {
        return starts[place];
    }

    /** How long they are, without quotes, and what they are like. */
    int[] lengths(int place) {
        return lengths[place];
    }

    private int find(long from, long limit, long to, boolean last, long most, int[] noted) {
        base = from;
        next = from;
        int row = 0;
        while (row < most && next < to && next <= limit) {
            long passed = pass(next, to, last);
            if (passed == next) {
                long end = record(next, to, last, row, noted);
                if (end < 0) {
                    return row;
                }
                if (fields > 0 && fieldsFound != fields) {
                    throw TextFault.corrupt(
                            next,
                            "has %,d field%s, not %,d"
                                    .formatted(fieldsFound, fieldsFound == 1 ? "" : "s", fields));
                }
                row++;
                next = end;
            } else if (passed < 0) {
                return row;
            } else {
                next = passed;
            }
        }
        return row;
    }

    /**
     * The address behind a line that is no record; the same one if it is; -1 if it does not end.
     */
    private long pass(long at, long to, boolean last) {
        byte first = OffHeap.getByte(at);
        if (first == '\n') {
            return fields == 1 ? at : at + 1;
        }
        if (first == '\r') {
            return fields == 1 ? at : lineEnd(at, to, last);
        }
        if (dialect.hasComments() && first == dialect.comment()) {
            long end = Swar.find(at, to, (byte) '\n');
            return end >= 0 ? end + 1 : last ? to : -1;
        }
        return at;
    }

    /** The end of the record at an address, or -1 if it is not there. */
    private long record(long from, long to, boolean last, int row, int[] noted) {
        int field = 0;
        long at = from;
        while (true) {
            long start = at;
            int marks = 0;
            long end;
            if (at < to && OffHeap.getByte(at) == quote && dialect.hasQuotes()) {
                start++;
                end = closing(start, to, last);
                if (end < 0) {
                    return -1;
                }
                marks = QUOTED | (escaped ? ESCAPED : 0);
                at = end + 1;
                if (at < to && !endsField(OffHeap.getByte(at))) {
                    throw TextFault.corrupt(
                            at,
                            "has something between the end of a quoted field and the delimiter");
                }
            } else {
                end = special(at, to);
                at = end;
                if (at < to && OffHeap.getByte(at) == quote && dialect.hasQuotes()) {
                    throw TextFault.corrupt(at, "has a quote inside a field that is not quoted");
                }
            }
            if (at == to && !last) {
                return -1;
            }
            if (field < noted.length && noted[field] >= 0) {
                int place = noted[field];
                starts[place][row] = (int) (start - base);
                lengths[place][row] = (int) (end - start) | marks;
            }
            field++;
            if (at < to && OffHeap.getByte(at) == delimiter) {
                at++;
            } else {
                fieldsFound = field;
                return at == to ? to : lineEnd(at, to, last);
            }
        }
    }

    private boolean escaped;

    /** Where the quote stands that ends a quoted field, or -1 if that is not there. */
    private long closing(long from, long to, boolean last) {
        escaped = false;
        long at = from;
        while (true) {
            at = quoteOrEscape(at, to);
            if (at < to) {
                boolean isEscape = OffHeap.getByte(at) == dialect.escape();
                if (at + 1 == to) {
                    if (!last) {
                        return -1;
                    }
                    if (!isEscape || dialect.doublesQuotes()) {
                        return at;
                    }
                } else if (!isEscape
                        || (dialect.doublesQuotes() && OffHeap.getByte(at + 1) != quote)) {
                    return at;
                }
            }
            if (at + 1 >= to) {
                if (last) {
                    throw TextFault.corrupt(from - 1, "has a quoted field that does not end");
                }
                return -1;
            }
            escaped = true;
            at += 2;
        }
    }

    private long quoteOrEscape(long from, long to) {
        for (long at = from; at < to; at += Long.BYTES) {
            long word = OffHeap.getLong(at);
            long found = Swar.zeros(word ^ quotes) | Swar.zeros(word ^ escapes);
            if (found != 0) {
                return Math.min(to, at + Swar.first(found));
            }
        }
        return to;
    }

    /** Where a field that is not quoted ends, or a quote stands in it. */
    private long special(long from, long to) {
        for (long at = from; at < to; at += Long.BYTES) {
            long word = OffHeap.getLong(at);
            long found =
                    Swar.zeros(word ^ delimiters)
                            | Swar.zeros(word ^ LINE_FEED)
                            | Swar.zeros(word ^ RETURN)
                            | Swar.zeros(word ^ quotes);
            if (found != 0) {
                return Math.min(to, at + Swar.first(found));
            }
        }
        return to;
    }

    private boolean endsField(byte b) {
        return b == delimiter || b == '\n' || b == '\r';
    }

    /** The address behind a line's end, or -1 if it is not all there. */
    private static long lineEnd(long from, long to, boolean last) {
        long at = from;
        while (at < to && OffHeap.getByte(at) == '\r') {
            at++;
        }
        if (at == to) {
            return last ? to : -1;
        }
        if (OffHeap.getByte(at) != '\n') {
            throw TextFault.corrupt(
                    from, "has a carriage return without a line feed outside of quotes");
        }
        return at + 1;
    }
}
