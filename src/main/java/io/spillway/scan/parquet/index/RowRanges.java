package io.spillway.scan.parquet.index;

import java.util.Arrays;

/**
 * Rows of one row group that are wanted: ranges {@code [from, to)} that are not empty, ascend and
 * do not touch. Immutable, and shared by all columns of a stream.
 *
 * <p>A reader that walks down a column keeps its row and asks {@link #next} for the first wanted
 * row from there on, and {@link #end} for where the run of wanted rows stops:
 *
 * <pre>
 * for (long row = ranges.next(0); row &lt; ranges.to(); row = ranges.next(stop)) {
 *     stop = ranges.end(row);           // rows [row, stop) are wanted
 * }
 * </pre>
 */
public final class RowRanges {

    private static final RowRanges NONE = new RowRanges(new long[0]);

    /** Start and end of each range in turn. */
    private final long[] bounds;

    private final long count;

    private RowRanges(long[] bounds) {
        this.bounds = bounds;
        long sum = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            sum += bounds[i + 1] - bounds[i];
        }
        this.count = sum;
    }

    /** No row. */
    public static RowRanges none() {
        return NONE;
    }

    /** One range; none if it is empty. */
    public static RowRanges of(long from, long to) {
        return from < to ? new RowRanges(new long[] {from, to}) : NONE;
    }

    /** Number of ranges. */
    int size() {
        return bounds.length / 2;
    }

    /** First row of a range. */
    public long from(int range) {
        return bounds[2 * range];
    }

    /** The row after the last one of a range. */
    public long to(int range) {
        return bounds[2 * range + 1];
    }

    /** Number of rows. */
    public long count() {
        return count;
    }

    /** Is there no row? */
    public boolean isEmpty() {
        return count == 0;
    }

    /** The first row, or 0 if there is none. */
    public long from() {
        return isEmpty() ? 0 : bounds[0];
    }

    /** The row after the last, or 0 if there is none. */
    public long to() {
        return isEmpty() ? 0 : bounds[bounds.length - 1];
    }

    /** The first wanted row that is not before {@code row}, or {@link #to()} if there is none. */
    public long next(long row) {
        int range = firstEndingAfter(row);
        return range == size() ? to() : Math.max(row, from(range));
    }

    /**
     * The row after the run of wanted rows that holds {@code row}; {@code row} itself if it is not
     * wanted.
     */
    public long end(long row) {
        int range = firstEndingAfter(row);
        return range < size() && from(range) <= row ? to(range) : row;
    }

    /** The row after the {@code n} wanted rows from {@code row} on, as far as there are so many. */
    public long after(long row, long n) {
        long left = n;
        long at = row;
        for (int i = firstEndingAfter(row); i < size() && left > 0; i++) {
            long first = Math.max(at, from(i));
            at = Math.min(to(i), first + left);
            left -= at - first;
        }
        return at;
    }

    /** Whether any row of {@code [from, to)} is wanted. */
    public boolean overlaps(long from, long to) {
        int range = firstEndingAfter(from);
        return from < to && range < size() && from(range) < to;
    }

    /** How many rows of {@code [from, to)} are wanted. */
    public long count(long from, long to) {
        long sum = 0;
        for (int i = firstEndingAfter(from); i < size() && from(i) < to; i++) {
            sum += Math.min(to, to(i)) - Math.max(from, from(i));
        }
        return sum;
    }

    /** The rows that are wanted here and there. */
    RowRanges intersect(RowRanges other) {
        Builder both = new Builder();
        int i = 0;
        int j = 0;
        while (i < size() && j < other.size()) {
            both.add(Math.max(from(i), other.from(j)), Math.min(to(i), other.to(j)));
            if (to(i) < other.to(j)) {
                i++;
            } else {
                j++;
            }
        }
        return both.build();
    }

    /** The number of the first range that ends after a row. */
    private int firstEndingAfter(long row) {
        int low = 0;
        int high = size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (to(middle) > row) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowRanges ranges && Arrays.equals(bounds, ranges.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        return Arrays.toString(bounds);
    }

    /** Collects ranges in ascending order; ranges that touch become one. */
    public static final class Builder {

        private long[] bounds = new long[8];
        private int used;

        /**
         * Adds a range, or nothing if it is empty.
         *
         * @param from not before the start of the last range
         */
        public void add(long from, long to) {
            if (from >= to) {
                return;
            }
            if (used > 0 && from <= bounds[used - 1]) {
                bounds[used - 1] = Math.max(bounds[used - 1], to);
                return;
            }
            if (used == bounds.length) {
                bounds = Arrays.copyOf(bounds, 2 * used);
            }
            bounds[used++] = from;
            bounds[used++] = to;
        }

        /** The ranges that were added. */
        public RowRanges build() {
            return used == 0 ? NONE : new RowRanges(Arrays.copyOf(bounds, used));
        }
    }
}
