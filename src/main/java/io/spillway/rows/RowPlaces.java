package io.spillway.rows;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the rows of a list of parts are, as far as that is known: prefix sums of the parts' row
 * counts, and the places inside each part. Shared by all who read the same rows, and only grows.
 * Thread-safe.
 *
 * <pre>
 *   part       0        1        2 (frontier)      3
 *   rows       |--------|---|----|......?          ?
 *   starts     0        90  120  ▲ placed()
 * </pre>
 */
final class RowPlaces {

    /**
     * Where reading starts.
     *
     * @param part the part; the number of parts if there is nothing to read
     * @param in input row of the part
     * @param firstRow number of the first row that comes out from there on
     */
    record Start(int part, long in, long firstRow) {}

    /**
     * Where reading ends.
     *
     * @param part the last part
     * @param in input row of that part after the last that is needed, or -1 for all of them
     */
    record End(int part, long in) {}

    private final List<PartPlaces> parts;
    private final AtomicLong atLeast = new AtomicLong();

    // Guarded by this: first rows of the leading parts whose counts are known, then of the next.
    private final long[] starts;
    private int known;

    RowPlaces(List<PartPlaces> parts) {
        this.parts = List.copyOf(parts);
        this.starts = new long[parts.size() + 1];
    }

    List<PartPlaces> parts() {
        return parts;
    }

    /** Number of leading parts whose row counts are known. */
    synchronized int known() {
        while (known < parts.size()) {
            long rows = parts.get(known).rows();
            if (rows < 0) {
                break;
            }
            starts[known + 1] = Math.addExact(starts[known], rows);
            known++;
        }
        return known;
    }

    /** The number of rows, or -1 if it is not known yet. */
    synchronized long total() {
        return known() == parts.size() ? starts[known] : -1;
    }

    /** The number of rows, from the first one on, whose places are known. */
    synchronized long placed() {
        int next = known();
        return starts[next] + (next < parts.size() ? parts.get(next).placed() : 0);
    }

    /** A number of rows that there are for sure. */
    long atLeast() {
        return Math.max(atLeast.get(), placed());
    }

    /** What is left to find out for one who reads up to a row. */
    Ending ending(Ending asked, long to) {
        boolean answered =
                total() >= 0
                        || switch (asked) {
                            case STOP -> true;
                            case COUNT -> atLeast() >= to;
                            case PEEK -> atLeast() > to;
                        };
        return answered ? Ending.STOP : asked;
    }

    /** Somebody has seen so many rows. */
    void seen(long rows) {
        if (rows > atLeast.get()) {
            atLeast.accumulateAndGet(rows, Math::max);
        }
    }

    /** The number of a part's first row; the part is known, or the first one that is not. */
    synchronized long start(int part) {
        if (part > known()) {
            throw new IndexOutOfBoundsException(part);
        }
        return starts[part];
    }

    /** The number of the first row behind the part that holds a row; the largest if unknown. */
    synchronized long partEnd(long row) {
        return row < starts[known()] ? starts[holding(row) + 1] : Long.MAX_VALUE;
    }

    /** The last known place that is not behind a row. */
    synchronized Start find(long row) {
        int next = known();
        if (row >= starts[next]) {
            if (next == parts.size()) {
                return new Start(next, 0, starts[next]);
            }
            return start(next, row);
        }
        return start(holding(row), row);
    }

    private Start start(int part, long row) {
        Place place = parts.get(part).before(row - starts[part]);
        return new Start(part, place.in(), starts[part] + place.out());
    }

    /** The part that holds a row of the known ones; never an empty one. */
    private int holding(long row) {
        int found = Arrays.binarySearch(starts, 0, known + 1, row);
        if (found < 0) {
            return -found - 2;
        }
        // Empty parts share their start with the next one: the last of equals holds the row.
        while (starts[found + 1] == row) {
            found++;
        }
        return found;
    }

    /** The first known place by which rows before {@code to} have come out; {@code to} &gt; 0. */
    synchronized End end(long to) {
        int next = known();
        if (to <= starts[next]) {
            int part = holding(to - 1);
            return new End(part, parts.get(part).after(to - starts[part]));
        }
        if (next == parts.size()) {
            return new End(next - 1, -1);
        }
        long in = parts.get(next).after(to - starts[next]);
        return in < 0 ? new End(parts.size() - 1, -1) : new End(next, in);
    }
}
