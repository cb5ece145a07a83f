package io.spillway.delivery.body;

import io.spillway.encode.CapProgress;
import io.spillway.encode.Caps;
import io.spillway.group.Cut;
import io.spillway.group.ShortReason;
import org.jspecify.annotations.Nullable;

/** The rows of one batch, while it is not known yet where it ends. */
final class Rows {

    /** What rows take where that does not matter: nothing, with what separates them. */
    static final long NO_SIZE = -1;

    private final long first;
    private final Caps caps;
    private final CapProgress progress = new CapProgress();
    private long count;
    private @Nullable ShortReason reason;

    /**
     * @param first number of the first row
     * @param caps what closes the batch
     */
    Rows(long first, Caps caps) {
        this.first = first;
        this.caps = caps;
    }

    /** Whether what rows take matters. */
    boolean areMeasured() {
        return caps.bytes() < Long.MAX_VALUE;
    }

    /** Index of the column that tells what rows weigh; -1 if that does not matter. */
    int weightColumn() {
        return caps.weightColumn();
    }

    /** How many rows may follow at most. */
    long left() {
        return reason == null ? caps.rows() - count : 0;
    }

    /**
     * Adds a row, unless that closes the batch in front of it.
     *
     * @return whether it was added
     */
    boolean add(long size, double weight) {
        String closed = progress.before(size, weight, caps);
        if (closed != null) {
            reason =
                    closed.equals(ShortReason.BYTES.word())
                            ? ShortReason.BYTES
                            : ShortReason.WEIGHT;
            return false;
        }
        progress.add(first + count, size, weight);
        count++;
        return true;
    }

    /** Whether no row follows. */
    boolean areComplete() {
        return left() == 0;
    }

    /** Bytes that rows may still take; meaningful only if that matters. */
    long bytesLeft() {
        return caps.bytes() - progress.bytes();
    }

    /** What there is; null if that is nothing. */
    @Nullable Cut cut() {
        if (count == 0) {
            return null;
        }
        return new Cut(first, count, areComplete() ? reason : ShortReason.END);
    }
}
