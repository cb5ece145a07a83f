package io.spillway.delivery;

import io.spillway.plan.document.DeliveryRequest;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which batch is to be sent next: of those that are cut and not settled, and of those that are yet
 * to be cut. Belongs to one thread.
 *
 * <pre>
 *   strict: as many batches as may be under way, from the first one on that is not settled
 *   any:    one that waits takes no place, and others go on; so many may wait
 * </pre>
 */
final class Batches {

    private final DeliveryRequest.Order order;
    private final int concurrency;
    private final int mostWaiting;
    private final TreeMap<Long, OpenBatch> open = new TreeMap<>();
    private final PriorityQueue<OpenBatch> waiting =
            new PriorityQueue<>(
                    Comparator.comparing(OpenBatch::dueAt).thenComparingLong(OpenBatch::firstRow));

    /** What was cut before and is not to be cut again: first row to the row behind the last one. */
    private final TreeMap<Long, Long> known = new TreeMap<>();

    private long next;
    private @Nullable Long end;
    private boolean cutting;

    /**
     * The batches of a delivery that somebody may have sent some of.
     *
     * @param stored those of which something is kept
     */
    Batches(
            DeliveryRequest request,
            int mostWaiting,
            DeliveryProgress progress,
            List<StoredBatch> stored) {
        this.order = request.order();
        this.concurrency = request.concurrency();
        this.mostWaiting = mostWaiting;
        this.next = progress.committedRow();
        this.end = progress.endRow();
        for (StoredBatch batch : stored) {
            if (batch.firstRow() >= next) {
                known.put(batch.firstRow(), batch.end());
            }
            if (batch.state() == StoredBatch.State.WAITING) {
                add(OpenBatch.of(batch));
            }
        }
    }

    /** Adds one that waits, unless it is there. */
    void add(OpenBatch batch) {
        if (open.putIfAbsent(batch.firstRow(), batch) == null) {
            waiting.add(batch);
        }
    }

    /** Whether all batches are cut and settled. */
    boolean areSettled() {
        Long last = end;
        return last != null && next >= last && open.isEmpty();
    }

    /** Batches that wait. */
    int waiting() {
        return waiting.size();
    }

    /** Batches that are read or sent now, one included that is being cut. */
    int active() {
        return open.size() - waiting.size() + (cutting ? 1 : 0);
    }

    /** When the next of those that wait is due; null if none waits. */
    @Nullable Instant nextDue() {
        OpenBatch first = waiting.peek();
        return first == null ? null : first.dueAt();
    }

    /** Where the next batch begins. */
    long next() {
        return next;
    }

    /** The row behind the last batch's last one; null if that is not known. */
    @Nullable Long end() {
        return end;
    }

    /** Takes one that waits and is due, if one may be under way more. */
    @Nullable OpenBatch takeDue(Instant now) {
        OpenBatch first = waiting.peek();
        if (first == null || active() >= concurrency || first.dueAt().isAfter(now)) {
            return null;
        }
        return waiting.remove();
    }

    /** Whether the next batch may be cut. */
    boolean mayCut() {
        skipKnown();
        Long last = end;
        if (cutting || (last != null && next >= last) || active() >= concurrency) {
            return false;
        }
        return switch (order) {
            case STRICT -> open.size() < concurrency;
            case ANY -> waiting.size() < mostWaiting;
        };
    }

    private void skipKnown() {
        while (!known.isEmpty() && known.firstKey() <= next) {
            next = Math.max(next, known.pollFirstEntry().getValue());
        }
    }

    /** The next batch is being cut, from {@link #next} on. */
    void beginCut() {
        cutting = true;
    }

    /** It has so many rows. */
    OpenBatch cut(long rows) {
        cutting = false;
        OpenBatch batch = new OpenBatch(next, rows);
        open.put(next, batch);
        next = batch.end();
        return batch;
    }

    /** It is not known how many it has. */
    void cutFailed() {
        cutting = false;
    }

    /** No batch begins at a row, or behind it. */
    void endAt(long row) {
        end = row;
    }

    /** One that was under way waits. */
    void putBack(OpenBatch batch) {
        waiting.add(batch);
    }

    /** One that was under way is settled, or is no more. */
    void remove(OpenBatch batch) {
        open.remove(batch.firstRow());
    }
}
