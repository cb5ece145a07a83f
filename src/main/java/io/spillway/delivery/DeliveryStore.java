package io.spillway.delivery;

import io.spillway.job.JobStore.IdempotencyKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where deliveries live, with their jobs, and who sends which. Thread-safe, shared by replicas; a
 * call returns only once its effect is durable. Leases end by the store's clock. Calls wait for the
 * database, and fail with {@code STORE_FAILED}.
 */
public interface DeliveryStore {

    /**
     * A delivery that is to be sent.
     *
     * @param batches those behind the committed row of which something is known, and those that
     *     wait, by their first rows
     */
    record Claim(Delivery delivery, DeliveryLease lease, List<StoredBatch> batches) {

        public Claim {
            batches = List.copyOf(batches);
        }
    }

    /**
     * What others have changed.
     *
     * @param waiting batches that wait, by their first rows; as many as were asked for
     */
    record Attended(DeliveryState state, List<StoredBatch> waiting) {

        public Attended {
            waiting = List.copyOf(waiting);
        }
    }

    /**
     * Keeps a delivery.
     *
     * @param key makes a repeat return the first one's delivery
     * @return this one, or the first one's
     * @throws io.spillway.error.SpillwayException {@code IDEMPOTENCY_CONFLICT} if the key came with
     *     another body
     */
    Delivery add(Delivery delivery, @Nullable IdempotencyKey key);

    /**
     * As {@link #add(Delivery, IdempotencyKey)}, and takes the name of the dataset that it will
     * make.
     *
     * @throws io.spillway.error.SpillwayException {@code DATASET_EXISTS} if the owner has that name
     */
    Delivery add(Delivery delivery, @Nullable IdempotencyKey key, String dataset);

    /**
     * The owner's delivery that was made with this key.
     *
     * @throws io.spillway.error.SpillwayException as {@link #add}
     */
    Optional<Delivery> find(String owner, IdempotencyKey key);

    Optional<Delivery> find(String id);

    /** Those of these that there are. */
    List<Delivery> find(Collection<String> ids);

    /**
     * The owner's deliveries, newest first, from the one behind {@code before} on.
     *
     * @throws io.spillway.error.SpillwayException {@code INVALID_PARAMETER} if the owner has no
     *     delivery {@code before}
     */
    List<Delivery> list(String owner, @Nullable String before, int limit);

    /** Number of deliveries that have not come to their end. */
    int open();

    /**
     * Says that a process is alive for a while: what it has claimed is its own until then.
     *
     * @param holder name of the process
     */
    void hold(String holder, Duration life);

    /** Takes the right to send the oldest running delivery that nobody has who is alive. */
    Optional<Claim> claim(String holder);

    /** Ids of the process's deliveries that others have changed. */
    List<String> changed(String holder);

    /**
     * What others have changed, which counts as seen from now on; empty if the lease is lost.
     *
     * @param limit batches that wait, at most
     */
    Optional<Attended> attend(DeliveryLease lease, int limit);

    /**
     * Records what was done, for many deliveries at a time: all of it, or nothing if it fails.
     *
     * @return those whose lease is lost, of which nothing was recorded
     */
    Set<DeliveryLease> record(List<Changes.Made> changes);

    /**
     * Ends a running delivery all of whose batches are settled, and gives the right back.
     *
     * @return as {@link #end}
     */
    boolean complete(DeliveryLease lease);

    /**
     * As {@link #complete(DeliveryLease)}, and lets the owner find what was captured, both or
     * neither.
     *
     * @param dataset name of it
     */
    boolean complete(DeliveryLease lease, String dataset, CapturedFile file);

    /**
     * Ends a running delivery, or lets it rest, and gives the right back.
     *
     * @return whether it did, or the lease is lost; not if others have changed the delivery
     */
    boolean end(DeliveryLease lease, DeliveryState state, @Nullable DeliveryReason reason);

    /** Gives the right back, so that somebody goes on if it is running. */
    void release(DeliveryLease lease);

    /** Has a running delivery rest; nothing if it does not run. */
    void pause(String id);

    /** Has a delivery that rests go on; nothing if it does not rest. */
    void resume(String id);

    /** Ends a delivery; nothing if it has ended. */
    void cancel(String id);

    /**
     * Has dead letters wait for another attempt, as if there had been none. A delivery that ended
     * with failures runs again.
     *
     * @param batches their first rows; null for all
     * @return how many
     */
    long replay(String id, @Nullable List<Long> batches);

    /** Dead letters by their first rows, from the one behind a row on. */
    List<StoredBatch> failures(String id, long afterRow, int limit);

    /** Attempts, the latest first, from the one before a number on. */
    List<DeliveryAttempt> attempts(String id, long beforeNumber, int limit);

    /** The batch that begins at a row, if it waits or is a dead letter. */
    Optional<StoredBatch> batch(String id, long firstRow);

    /** The last attempt, of those kept, of the batch that begins at a row. */
    Optional<DeliveryAttempt> lastAttempt(String id, long firstRow);
}
