package io.spillway.cursor;

import java.util.Objects;

/**
 * A contiguous part of a job's rows that one reader can take.
 *
 * @param jobId the job's public identifier
 * @param digest the job's digest (plan with snapshot), SHA-256 in lower-case hex
 * @param range which rows
 * @param offset how many rows of the range come before the first row of the split, ≥ 0
 * @param limit how many rows the split has at most, ≥ 0; {@link Long#MAX_VALUE} for all that follow
 */
public record Split(String jobId, String digest, Range range, long offset, long limit) {

    public Split {
        Objects.requireNonNull(jobId, "jobId");
        Objects.requireNonNull(digest, "digest");
        Objects.requireNonNull(range, "range");
        if (offset < 0 || limit < 0) {
            throw new IllegalArgumentException(limit + " rows behind " + offset);
        }
    }

    /** All rows of a range. */
    public Split(String jobId, String digest, Range range) {
        this(jobId, digest, range, 0, Long.MAX_VALUE);
    }

    /**
     * The part of this split that begins at a row of it.
     *
     * @param rows of the part, at most
     */
    public Split part(long from, long rows) {
        long skipped = from > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + from;
        long left = limit == Long.MAX_VALUE ? limit : Math.max(limit - from, 0);
        return new Split(jobId, digest, range, skipped, Math.min(left, rows));
    }

    /** Whether it is all rows of its range. */
    public boolean isWhole() {
        return offset == 0 && limit == Long.MAX_VALUE;
    }

    /** Where rows are, in whichever way is known when a split is made. */
    public sealed interface Range {}

    /**
     * Rows by their numbers, and then, if a split is to be as long as others, rows that others have
     * too.
     *
     * @param from number of the first row
     * @param to number of the row after the last
     * @param repeatFrom number of the first row that is repeated; below {@code total}
     * @param repeats how many rows are repeated; behind the job's last row follows its first
     * @param total number of the job's rows if any are repeated, else 0
     */
    public record Rows(long from, long to, long repeatFrom, long repeats, long total)
            implements Range {

        public Rows {
            if (from < 0 || to < from || repeats < 0) {
                throw new IllegalArgumentException(from + " to " + to + " and " + repeats);
            }
            if (repeats > 0 && (repeatFrom < 0 || repeatFrom >= total)) {
                throw new IllegalArgumentException(repeatFrom + " of " + total);
            }
        }

        /** Rows of which none is repeated. */
        public Rows(long from, long to) {
            this(from, to, 0, 0, 0);
        }
    }

    /**
     * Whatever comes of some of the input: of the parts that the job's plan reads, in order, those
     * from a row of one of them on to a row of another one. How many rows come of it need not be
     * known.
     *
     * @param fromPart number of the first part
     * @param fromRow number of its first row that is read
     * @param toPart number of the last part
     * @param toRow number of the row after the last one of it that is read
     */
    public record Input(int fromPart, long fromRow, int toPart, long toRow) implements Range {

        public Input {
            if (fromPart < 0 || toPart < fromPart || fromRow < 0 || toRow < 0) {
                throw new IllegalArgumentException(
                        "%d.%d to %d.%d".formatted(fromPart, fromRow, toPart, toRow));
            }
        }
    }

    /**
     * One of so many parts of all rows, however many there turn out to be: their lengths differ by
     * one row at most, and longer ones come first.
     *
     * @param number of the part, from 0
     * @param of how many parts there are
     */
    public record Share(int number, int of) implements Range {

        public Share {
            if (number < 0 || number >= of) {
                throw new IllegalArgumentException(number + " of " + of);
            }
        }

        /** The part of so many rows. */
        public Rows of(long rows) {
            long from = from(rows);
            return new Rows(from, from + rows / of + (number < rows % of ? 1 : 0));
        }

        private long from(long rows) {
            return rows / of * number + Math.min(number, rows % of);
        }
    }
}
