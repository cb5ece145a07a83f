package io.spillway.spill;

import io.spillway.memory.MemoryPool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spill files of this process: in a folder of its own below the one that processes share, and
 * within a quota. Nothing of a process outlives it for long: what it leaves is deleted when it
 * stops, or by the next process that starts with the same folder. Thread-safe.
 */
public final class SpillManager implements AutoCloseable {

    static final Logger LOG = LoggerFactory.getLogger(SpillManager.class);

    private final OwnFolder folder;
    private final long quota;
    private final DictionaryDecoder dictionaries;
    private final Disk disk;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicInteger files = new AtomicInteger();
    private final AtomicLong number = new AtomicLong();
    private final Set<SpillSpace> spaces = ConcurrentHashMap.newKeySet();

    /** Files that could not be deleted, by what they count; tried again. */
    private final Queue<Map.Entry<Path, Long>> stubborn = new ConcurrentLinkedQueue<>();

    private SpillManager(OwnFolder folder, long quota, DictionaryDecoder dictionaries, Disk disk) {
        this.folder = folder;
        this.quota = quota;
        this.dictionaries = dictionaries;
        this.disk = disk;
    }

    /**
     * Takes a place in the folder, which is made if it is missing, and deletes what dead processes
     * have left there.
     *
     * @param quota bytes that all spill files of this process may take together
     * @param dictionaries for columns that are dictionary-encoded
     * @throws io.spillway.error.SpillwayException {@code WRITE_FAILED} or {@code DISK_FULL} if the
     *     folder cannot be made or written
     */
    public static SpillManager open(Path folder, long quota, DictionaryDecoder dictionaries) {
        return open(folder, quota, dictionaries, Disk.LOCAL);
    }

    static SpillManager open(Path folder, long quota, DictionaryDecoder dictionaries, Disk disk) {
        return new SpillManager(OwnFolder.take(folder), quota, dictionaries, disk);
    }

    /**
     * A place for the files of a job.
     *
     * @param job of letters, digits, '-' and '_'; part of the files' names
     * @param pool for what writing takes
     * @return to be closed by the caller before the pool
     */
    public SpillSpace space(String job, MemoryPool pool) {
        SpillSpace space = new SpillSpace(this, job, pool);
        spaces.add(space);
        return space;
    }

    /** Bytes that spill files may take. */
    public long quota() {
        return quota;
    }

    /** Bytes that spill files take now. */
    public long held() {
        return held.get();
    }

    /** Bytes ever written. */
    public long written() {
        return written.get();
    }

    /** Spill files that there are now. */
    public int files() {
        return files.get();
    }

    Disk disk() {
        return disk;
    }

    DictionaryDecoder dictionaries() {
        return dictionaries;
    }

    Path newPath(String job) {
        return folder.path().resolve(job + "-" + number.incrementAndGet() + ".spill");
    }

    void added() {
        files.incrementAndGet();
        deleteStubborn();
    }

    boolean tryReserve(long bytes) {
        if (held.addAndGet(bytes) > quota) {
            held.addAndGet(-bytes);
            return false;
        }
        written.addAndGet(bytes);
        return true;
    }

    /** Deletes a file, now or, if the disk does not let it, later. */
    void delete(Path path, long bytes) {
        try {
            disk.delete(path);
        } catch (IOException e) {
            LOG.warn("spill file {} could not be deleted", path, e);
            stubborn.add(Map.entry(path, bytes));
            return;
        }
        held.addAndGet(-bytes);
        files.decrementAndGet();
    }

    private void deleteStubborn() {
        for (int i = stubborn.size(); i > 0; i--) {
            Map.Entry<Path, Long> entry = stubborn.poll();
            if (entry != null) {
                delete(entry.getKey(), entry.getValue());
            }
        }
    }

    void forget(SpillSpace space) {
        spaces.remove(space);
        deleteStubborn();
    }

    /** Deletes everything of this process. */
    @Override
    public void close() {
        spaces.forEach(SpillSpace::close);
        folder.close();
    }
}
