package io.spillway.delivery.body;

import io.spillway.encode.CapProgress;
import io.spillway.encode.Caps;
import io.spillway.encode.ShortReason;
import io.spillway.group.Cut;
import org.jspecify.annotations.Nullable;

/** The rows of one batch, while it is not known yet where it ends. */
final class Rows implements CapProgress.Borders {

    private final long first;
    private final Caps caps;
    private final CapProgress progress;
    private long count;
    private long size;
    private @Nullable Cut cut;

    /**
     * @param first number of the first row
     * @param caps what closes the batch
     */
    Rows(long first, Caps caps) {
        this.first = first;
        this.caps = caps;
        this.progress = new CapProgress(caps);
        this.size = caps.besides();
    }

    /** Whether what rows take matters. */
    boolean areMeasured() {
        return caps.size() < Long.MAX_VALUE;
    }

    /** Index of the column that tells what rows weigh; -1 if that does not matter. */
    int weightColumn() {
        return caps.weightColumn();
    }

    /** How many rows may follow at most. */
    long left() {
        return cut == null ? caps.rows() - count : 0;
    }

    /**
     * Adds a row, unless that closes the batch in front of it.
     *
     * @return whether it was added
     */
    boolean add(long rowSize, double weight) {
        progress.add(first + count, rowSize, weight, this);
        if (cut != null && cut.rows() == count) {
            return false;
        }
        count++;
        size += rowSize;
        return true;
    }

    @Override
    public void opened(long row) {
        // The first one, or one that belongs to the next batch.
    }

    @Override
    public void closed(long from, long end, @Nullable ShortReason shortReason) {
        if (cut == null) {
            cut = new Cut(from, end - from, shortReason);
        }
    }

    /** Whether no row follows. */
    boolean areComplete() {
        return cut != null;
    }

    /** Bytes that rows may still take; meaningful only if that matters. */
    long bytesLeft() {
        return caps.size() - size;
    }

    /** What there is; null if that is nothing. */
    @Nullable Cut cut() {
        return cut == null && count > 0 ? new Cut(first, count, ShortReason.END) : cut;
    }
}
