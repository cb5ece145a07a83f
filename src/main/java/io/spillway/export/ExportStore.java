package io.spillway.export;

import io.spillway.job.JobStore.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where exports live, with their jobs, and who writes which. Thread-safe, shared by replicas; a
 * call returns only once its effect is durable. Leases end by the store's clock. Calls wait for the
 * database, and fail with {@code STORE_FAILED}.
 */
public interface ExportStore {

    /**
     * An export that is to be written.
     *
     * @param attempts how often it was begun and not given back, this time included
     * @param canceled whether it is only to be cleaned up
     * @param isWhole whether its files, which it has, may be visible already
     */
    record Claim(
            Export export, ExportLease lease, int attempts, boolean canceled, boolean isWhole) {}

    /** What has become of a lease. */
    enum Held {
        /** It is good. */
        YES,
        /** It is good, but the owner wants the export no more. */
        CANCELED,
        /** Somebody else has the right, or the export is gone. */
        LOST
    }

    /**
     * Keeps an export.
     *
     * @param key makes a repeat return the first one's export
     * @return this one, or the first one's
     * @throws io.spillway.error.SpillwayException {@code IDEMPOTENCY_CONFLICT} if the key came with
     *     another body
     */
    Export add(Export export, @Nullable IdempotencyKey key);

    /**
     * The owner's export that was made with this key.
     *
     * @throws io.spillway.error.SpillwayException as {@link #add}
     */
    Optional<Export> find(String owner, IdempotencyKey key);

    Optional<Export> find(String id);

    /**
     * The owner's exports, newest first, from the one behind {@code before} on.
     *
     * @throws io.spillway.error.SpillwayException {@code INVALID_PARAMETER} if the owner has no
     *     export {@code before}
     */
    List<Export> list(String owner, @Nullable String before, int limit);

    /** Number of exports that have not come to their end. */
    int open();

    /** Takes the right to write the oldest export that nobody writes. */
    Optional<Claim> claim(Duration life);

    /**
     * Goes on writing.
     *
     * @param rows written so far
     * @param bytes written so far
     */
    Held renew(ExportLease lease, Duration life, long rows, long bytes);

    /**
     * Says that all is written and is about to become visible: from now on it cannot be canceled.
     *
     * @param life how long that may take
     */
    Held whole(ExportLease lease, Duration life, List<ExportedFile> files);

    /** Says that all is visible. */
    void complete(ExportLease lease);

    /** Says that it failed, and that nothing is left of it. */
    void fail(ExportLease lease, Export.Failure failure);

    /** Says that nothing is left of an export that was canceled. */
    void ended(ExportLease lease);

    /** Gives the right back, so that somebody begins anew. */
    void release(ExportLease lease);

    /** Its owner wants the export no more; nothing if it has come to its end, or is whole. */
    void cancel(String id);
}
