package io.spillway.encode;

import org.jspecify.annotations.Nullable;

/**
 * Puts rows, one after the other, into batches that close at the first of their {@link Caps}, and
 * knows how far it has come in the batch that is open. Used by one thread at a time, with a
 * happens-before edge between them.
 */
public final class CapProgress {

    private final Caps caps;
    private long first;
    private long rows;
    private long size;
    private double weight;
    private long batches;

    /** Told where batches begin and end. */
    public interface Borders {

        /**
         * A batch begins.
         *
         * @param row position of its first row
         */
        void opened(long row);

        /**
         * A batch has all of its rows.
         *
         * @param from position of the first one
         * @param end position after the last one
         * @param shortReason what closed it; null if it has all the rows that it may have
         */
        void closed(long from, long end, @Nullable ShortReason shortReason);
    }

    /** At the start of a batch. */
    public CapProgress(Caps caps) {
        this.caps = caps;
    }

    public Caps caps() {
        return caps;
    }

    /** Number of batches that have been begun. */
    public long batches() {
        return batches;
    }

    /** Whether a batch has some rows, and may get more. */
    public boolean isOpen() {
        return rows > 0;
    }

    /** Position of the first row of the batch that is open. */
    public long first() {
        return first;
    }

    /**
     * The row that comes next, which goes into the batch that is open, or into a new one.
     *
     * @param position the row's
     * @param rowSize what it adds to a batch's size
     */
    public void add(long position, long rowSize, double rowWeight, Borders borders) {
        ShortReason reason = reasonBefore(rowSize, rowWeight);
        if (reason != null) {
            close(position, reason, borders);
        }
        if (rows == 0) {
            first = position;
            size = caps.besides();
            batches++;
            borders.opened(position);
        }
        rows++;
        size += rowSize;
        weight += rowWeight;
        if (rows == caps.rows()) {
            close(position + 1, null, borders);
        }
    }

    private @Nullable ShortReason reasonBefore(long rowSize, double rowWeight) {
        if (rows == 0) {
            return null;
        }
        if (size + rowSize > caps.size()) {
            return ShortReason.BYTES;
        }
        return weight + rowWeight > caps.weight() ? ShortReason.WEIGHT : null;
    }

    private void close(long end, @Nullable ShortReason reason, Borders borders) {
        rows = 0;
        weight = 0;
        borders.closed(first, end, reason);
    }
}
