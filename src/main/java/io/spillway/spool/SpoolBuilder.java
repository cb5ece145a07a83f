package io.spillway.spool;

import io.spillway.batch.RowSchema;
import io.spillway.batch.codec.Compression;
import io.spillway.error.SpillwayException;
import io.spillway.spill.BlockEncoder;
import io.spillway.spill.EncodedBlock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Builds a spool under a lease, which it renews until it is closed or finished, however long
 * nothing is written. One thread at a time writes; anybody may close.
 */
public final class SpoolBuilder implements AutoCloseable {

    /** A builder that has died holds others up for so long. */
    static final Duration LEASE = Duration.ofSeconds(20);

    private static final Duration RENEWAL = LEASE.dividedBy(4);

    private final SpoolManager manager;
    private final SpoolLease lease;
    private final RowSchema schema;
    private final Compression compression;
    private final SpoolWriter writer;
    private volatile long bytes;
    private volatile boolean lost;
    private volatile boolean ended;

    SpoolBuilder(SpoolManager manager, SpoolLease lease, RowSchema schema) {
        this.manager = manager;
        this.lease = lease;
        this.schema = schema;
        this.compression = manager.compression();
        this.writer =
                new SpoolWriter(
                        manager.folder(), lease, schema, compression, manager.segmentBytes());
        keepLater();
    }

    /** Makes the blocks that are written; one for each thread that makes some. */
    public BlockEncoder encoder() {
        return new BlockEncoder(schema, compression, manager.dictionaries());
    }

    /** Has another builder taken over? Then all that is left is to close this one. */
    public boolean isLost() {
        return lost;
    }

    /**
     * Appends a block, which stays the caller's. Waits for the file system.
     *
     * @throws SpillwayException {@code DISK_FULL} if the disk or the quota is, {@code
     *     WRITE_FAILED}; the builder can only be closed then
     */
    public synchronized void write(EncodedBlock block) {
        if (ended) {
            return;
        }
        try {
            boolean segmentEnded = writer.write(block);
            wrote(writer.bytes());
            if (segmentEnded) {
                checkQuota();
            }
        } catch (SpillwayException e) {
            failed(e);
        }
    }

    private void wrote(long total) {
        manager.wrote(total - bytes);
        bytes = total;
    }

    private void checkQuota() {
        lost |= !manager.store().renew(lease, LEASE, bytes);
        if (manager.store().bytes() > manager.quota()) {
            throw SpoolFailures.quota(manager.quota());
        }
    }

    /** One who takes over deletes the files of the builder before, which is no failure of disks. */
    private void failed(SpillwayException failure) {
        lost |= !manager.store().renew(lease, LEASE, bytes);
        if (!lost) {
            throw failure;
        }
    }

    /**
     * Completes the spool. Waits for the file system and the store.
     *
     * @return null if another builder has taken over
     * @throws SpillwayException as {@link #write}
     */
    public synchronized @Nullable Spool finish() {
        if (ended) {
            return null;
        }
        try {
            SpoolManifest manifest = writer.finish();
            wrote(writer.bytes());
            checkQuota();
            if (!lost && manager.store().commit(lease, manifest.toJson(), bytes)) {
                ended = true;
                return new Spool(lease, schema, manifest, manager.folder());
            }
            lost = true;
        } catch (SpillwayException e) {
            failed(e);
        }
        return null;
    }

    private void keepLater() {
        CompletableFuture.delayedExecutor(
                        RENEWAL.toMillis(), TimeUnit.MILLISECONDS, manager.waiting())
                .execute(this::keep);
    }

    private void keep() {
        if (ended || lost) {
            return;
        }
        try {
            lost |= !manager.store().renew(lease, LEASE, bytes);
        } catch (SpillwayException e) {
            SpoolManager.LOG.warn("the lease of a spool could not be renewed", e);
        }
        keepLater();
    }

    /** Deletes what was written, and lets others build, unless the spool is complete. Waits. */
    @Override
    public synchronized void close() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            writer.close();
        } catch (SpillwayException e) {
            SpoolManager.LOG.warn("a spool that was given up could not be deleted", e);
        }
        manager.store().release(lease);
    }
}
