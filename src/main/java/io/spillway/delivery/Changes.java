package io.spillway.delivery;

import io.spillway.delivery.capture.CapturePlace;
import io.spillway.delivery.capture.Captured;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What has become of a delivery since it was recorded last. Filled by who sends its batches, then
 * handed over to be recorded; not thread-safe.
 */
public final class Changes {

    private final DeliveryLease lease;
    private final Map<Long, StoredBatch> kept = new LinkedHashMap<>();
    private final Set<Long> removed = new LinkedHashSet<>();
    private final List<DeliveryAttempt> attempts = new ArrayList<>();
    private final List<Long> died = new ArrayList<>();
    private final List<Captured> captured = new ArrayList<>();
    private List<CapturePlace> places = List.of();
    private long deadBatches;
    private long deadRows;
    private boolean moved;

    public Changes(DeliveryLease lease) {
        this.lease = lease;
    }

    /** Keeps a batch as it is now, in place of what was kept of that row. */
    void keep(StoredBatch batch) {
        removed.remove(batch.firstRow());
        kept.put(batch.firstRow(), batch);
    }

    /** Keeps nothing more of the batch that begins at a row. */
    void remove(long firstRow) {
        kept.remove(firstRow);
        removed.add(firstRow);
    }

    /** A batch has become a dead letter. */
    void died(StoredBatch batch) {
        keep(batch);
        died.add(batch.firstRow());
        deadBatches++;
        deadRows += batch.rows();
    }

    void add(DeliveryAttempt attempt) {
        attempts.add(attempt);
    }

    /** Something was captured out of the answer to a batch that is delivered. */
    void add(Captured found) {
        captured.add(found);
    }

    /** What was captured, which is to be durable before this is recorded. */
    List<Captured> captured() {
        return captured;
    }

    /** What was captured is durable. */
    void placed(List<CapturePlace> found) {
        places = found;
    }

    /** Where it is that was captured. */
    List<CapturePlace> places() {
        return places;
    }

    /** The delivery's own progress has changed. */
    void moved() {
        moved = true;
    }

    boolean isEmpty() {
        return !moved && kept.isEmpty() && removed.isEmpty() && attempts.isEmpty();
    }

    DeliveryLease lease() {
        return lease;
    }

    /** Batches as they are now. */
    List<StoredBatch> kept() {
        return List.copyOf(kept.values());
    }

    /** First rows of batches of which nothing is kept. */
    List<Long> removed() {
        return List.copyOf(removed);
    }

    List<DeliveryAttempt> attempts() {
        return attempts;
    }

    /** First rows of new dead letters. */
    List<Long> died() {
        return died;
    }

    /** How many there are of them: the delivery's own count is changed by others as well. */
    long deadBatches() {
        return deadBatches;
    }

    long deadRows() {
        return deadRows;
    }

    /**
     * Changes, with the progress that they lead to.
     *
     * @param progress as it is after them; its dead letters are not looked at
     * @param oldestAttempt attempts with lower numbers are kept of dead letters only
     */
    public record Made(Changes changes, DeliveryProgress progress, long oldestAttempt) {}
}
