package io.spillway.encode;

import org.jspecify.annotations.Nullable;

/**
 * How far a reader has come in the batch that it is in. Written by one thread at a time, with a
 * happens-before edge between them.
 */
public final class CapProgress {

    private long first;
    private int rows;
    private long bytes;
    private double weight;
    private long batches;

    /** At the start of a batch. */
    public CapProgress() {}

    /** Bytes of the rows of the batch that is open, with what separates them. */
    public long bytes() {
        return rows == 0 ? 0 : bytes;
    }

    /** Number of batches that have been begun. */
    public long batches() {
        return batches;
    }

    /** Whether a batch has some rows, and may get more. */
    boolean isOpen() {
        return rows > 0;
    }

    /** Position of the first row of the batch that is open. */
    long first() {
        return first;
    }

    /**
     * Why the batch that is open has to be closed before a row; null if the row goes into it.
     *
     * @param size bytes of the row
     */
    public @Nullable String before(long size, double rowWeight, Caps caps) {
        if (rows == 0) {
            return null;
        }
        // What separates rows counts.
        if (size > caps.bytes() - bytes - 1) {
            return "bytes";
        }
        return weight + rowWeight > caps.weight() ? "weight" : null;
    }

    /** Whether the batch that is open has all the rows that it may have. */
    public boolean isFull(Caps caps) {
        return rows == caps.rows();
    }

    /** A row goes into the batch that is open, or opens one. */
    public void add(long position, long size, double rowWeight) {
        if (rows == 0) {
            first = position;
            batches++;
            bytes = -1;
        }
        rows++;
        bytes += size + 1;
        weight += rowWeight;
    }

    /** The batch has been closed. */
    void close() {
        rows = 0;
        weight = 0;
    }
}
