package io.spillway.group;

import io.spillway.plan.document.BatchShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts batches where the first of their caps is met: adds up what rows take and weigh, row by row.
 * A batch has one row at least, whatever that takes.
 */
final class CapCuts {

    /** A JSON array has two brackets, and a comma before all rows but the first. */
    private static final long ARRAY_BYTES = 1;

    private final long maxRows;
    private final long maxBytes;
    private final double maxWeight;
    private final boolean dropLast;
    private final int most;
    private final List<Cut> cuts = new ArrayList<>();
    private long first;
    private long next;
    private long bytes = ARRAY_BYTES;
    private double weight;

    /**
     * Has nothing yet.
     *
     * @param firstRow where the first batch begins
     * @param most how many batches are wanted
     */
    CapCuts(BatchShape shape, long firstRow, int most) {
        BatchShape.Weight cap = shape.weight();
        this.maxRows = shape.rows();
        this.maxBytes = shape.maxBytes() == null ? Long.MAX_VALUE : shape.maxBytes();
        this.maxWeight = cap == null ? Double.POSITIVE_INFINITY : cap.max();
        this.dropLast = shape.dropLast();
        this.most = most;
        this.first = firstRow;
        this.next = firstRow;
    }

    /** Are there as many as are wanted? */
    boolean isFull() {
        return cuts.size() >= most;
    }

    /**
     * Adds rows that follow; those are overlooked that come when it is full.
     *
     * @param rowBytes what each takes as an element of a JSON array, with a comma; null if that is
     *     no matter
     * @param weights what each weighs; null if that is no matter
     */
    void add(int rows, int @Nullable [] rowBytes, double @Nullable [] weights) {
        for (int i = 0; i < rows && !isFull(); i++) {
            add(rowBytes == null ? 0 : rowBytes[i], weights == null ? 0 : weights[i]);
        }
    }

    private void add(long rowBytes, double rowWeight) {
        if (next > first) {
            if (bytes + rowBytes > maxBytes) {
                close(ShortReason.BYTES);
            } else if (weight + rowWeight > maxWeight) {
                close(ShortReason.WEIGHT);
            }
        }
        if (isFull()) {
            return;
        }
        next++;
        bytes += rowBytes;
        weight += rowWeight;
        if (next - first == maxRows) {
            close(null);
        }
    }

    private void close(@Nullable ShortReason reason) {
        cuts.add(new Cut(first, next - first, reason));
        first = next;
        bytes = ARRAY_BYTES;
        weight = 0;
    }

    /** What is cut, if more rows may follow. */
    Cutter.Cuts soFar() {
        return new Cutter.Cuts(cuts, null);
    }

    /** What is cut, if no more rows follow, and it was not full before. */
    Cutter.Cuts atEnd() {
        if (next > first && !dropLast) {
            close(ShortReason.END);
        }
        return new Cutter.Cuts(cuts, first);
    }
}
