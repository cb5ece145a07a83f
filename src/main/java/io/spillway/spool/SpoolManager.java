package io.spillway.spool;

import io.spillway.batch.codec.Compression;
import io.spillway.error.SpillwayException;
import io.spillway.spill.DictionaryDecoder;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.FileWriter;
import io.spillway.storage.UriSchemes;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The spools of all jobs, as this process sees them. Thread-safe. */
public final class SpoolManager {

    static final Logger LOG = LoggerFactory.getLogger(SpoolManager.class);

    /** Bytes of a segment, about: what one thread reads at a time. */
    public static final long SEGMENT_BYTES = 64L << 20;

    private final SpoolStore store;
    private final SpoolFolder folder;
    private final long quota;
    private final long segmentBytes;
    private final DictionaryDecoder dictionaries;
    private final Executor waiting;
    private final AtomicLong written = new AtomicLong();

    /**
     * Writes nothing yet.
     *
     * @param files has the folder
     * @param root URI of the folder, without a slash at its end
     * @param quota bytes that all spools may take together
     * @param segmentBytes bytes after which a segment ends
     * @param dictionaries for columns that are dictionary-encoded
     * @param waiting runs what waits for the store
     */
    public SpoolManager(
            SpoolStore store,
            FileSystemAccess files,
            String root,
            long quota,
            long segmentBytes,
            DictionaryDecoder dictionaries,
            Executor waiting) {
        this.store = store;
        this.folder = new SpoolFolder(files, root);
        this.quota = quota;
        this.segmentBytes = segmentBytes;
        this.dictionaries = dictionaries;
        this.waiting = waiting;
    }

    /**
     * Writes a file, and deletes it.
     *
     * @throws SpillwayException if the folder cannot be written
     */
    public void check() {
        String probe = folder.root() + "/.probe-" + UUID.randomUUID();
        try (FileWriter file = folder.files().create(probe)) {
            file.commit();
        }
        folder.files().delete(probe);
    }

    /** The spools of a job. */
    public JobSpools job(String id) {
        return new JobSpools(this, id);
    }

    /**
     * Deletes the spools of jobs whose life is over; what cannot be deleted now is tried again the
     * next time. Waits.
     */
    public void sweep(Instant now) {
        for (String job : store.ended(now)) {
            try {
                folder.delete(job);
                store.remove(job);
            } catch (SpillwayException e) {
                LOG.warn("the spools of job {} could not be deleted", job, e);
            }
        }
    }

    /** Bytes that all spools may take. */
    public long quota() {
        return quota;
    }

    /** Bytes that this process has ever written. */
    public long written() {
        return written.get();
    }

    SpoolStore store() {
        return store;
    }

    SpoolFolder folder() {
        return folder;
    }

    long segmentBytes() {
        return segmentBytes;
    }

    DictionaryDecoder dictionaries() {
        return dictionaries;
    }

    Executor waiting() {
        return waiting;
    }

    /** Fast where the disk is near, small where a network is between. */
    Compression compression() {
        return folder.files().scheme().equals(UriSchemes.FILE) ? Compression.LZ4 : Compression.ZSTD;
    }

    void wrote(long bytes) {
        written.addAndGet(bytes);
    }
}
