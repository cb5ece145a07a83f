package io.spillway.spool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What replicas know together of spools: which are complete, who builds which, what is to be
 * deleted. The files of a spool are written after its first claim and deleted before it is removed
 * here, so that whatever there is on disk is known here. Leases end by the store's clock.
 *
 * <p>Thread-safe; calls wait for the database, and fail with {@code STORE_FAILED}.
 */
public interface SpoolStore {

    /**
     * A complete spool.
     *
     * @param epoch of its builder
     * @param manifest text of a {@link SpoolManifest}
     */
    record Complete(long epoch, String manifest) {}

    /** A spool, if it is complete. */
    Optional<Complete> find(SpoolId id);

    /**
     * Takes the right to build a spool.
     *
     * @param life how long it is good unless renewed
     * @return empty if somebody else has it, or the spool is complete
     */
    Optional<SpoolLease> claim(SpoolId id, Duration life);

    /**
     * Goes on building.
     *
     * @param bytes written so far
     * @return false if the right was lost
     */
    boolean renew(SpoolLease lease, Duration life, long bytes);

    /**
     * Completes a spool, which everybody sees from now on.
     *
     * @return false, without effect, if the right was lost
     */
    boolean commit(SpoolLease lease, String manifest, long bytes);

    /** Gives the right back without having completed the spool; nothing if it was lost. */
    void release(SpoolLease lease);

    /**
     * A complete spool turned out to be lost or damaged: it may be built again. Nothing if that has
     * happened already.
     */
    void discard(SpoolId id, long epoch);

    /** Bytes of all spools, complete or under way. */
    long bytes();

    /**
     * Jobs that have spools, but whose life is over, or of which nothing is known; without those
     * for which somebody builds at the moment.
     */
    List<String> ended(Instant now);

    /** Forgets the spools of a job, whose files are deleted. */
    void remove(String job);
}
