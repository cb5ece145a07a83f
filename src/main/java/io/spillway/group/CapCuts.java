package io.spillway.group;

import io.spillway.encode.CapProgress;
import io.spillway.encode.Caps;
import io.spillway.encode.ShortReason;
import io.spillway.plan.document.BatchShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the batches that rows make, row by row, where the first of their caps is met. */
final class CapCuts implements CapProgress.Borders {

    /** A JSON array has two brackets, and a comma before all rows but the first. */
    private static final long ARRAY_BYTES = 1;

    private final CapProgress progress;
    private final boolean dropLast;
    private final int most;
    private final List<Cut> cuts = new ArrayList<>();
    private long next;

    /**
     * Has nothing yet.
     *
     * @param firstRow where the first batch begins
     * @param most how many batches are wanted
     */
    CapCuts(BatchShape shape, long firstRow, int most) {
        BatchShape.Weight cap = shape.weight();
        this.progress =
                new CapProgress(
                        new Caps(
                                shape.rows(),
                                shape.maxBytes() == null ? Long.MAX_VALUE : shape.maxBytes(),
                                ARRAY_BYTES,
                                -1,
                                cap == null ? Double.POSITIVE_INFINITY : cap.max()));
        this.dropLast = shape.dropLast();
        this.most = most;
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
            progress.add(
                    next,
                    rowBytes == null ? 0 : rowBytes[i],
                    weights == null ? 0 : weights[i],
                    this);
            next++;
        }
    }

    @Override
    public void opened(long row) {
        // It is told again when it closes.
    }

    @Override
    public void closed(long from, long end, @Nullable ShortReason shortReason) {
        cuts.add(new Cut(from, end - from, shortReason));
    }

    /** What is cut, if more rows may follow. */
    Cutter.Cuts soFar() {
        return new Cutter.Cuts(cuts, null);
    }

    /** What is cut, if no more rows follow, and it was not full before. */
    Cutter.Cuts atEnd() {
        if (!progress.isOpen()) {
            return new Cutter.Cuts(cuts, next);
        }
        if (dropLast) {
            return new Cutter.Cuts(cuts, progress.first());
        }
        closed(progress.first(), next, ShortReason.END);
        return new Cutter.Cuts(cuts, next);
    }
}
