package io.spillway.spill;

import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The spill files of one job. Thread-safe. */
public final class SpillSpace implements AutoCloseable {

    private final SpillManager manager;
    private final String job;
    private final MemoryPool pool;
    // Guarded by this.
    private final Set<SpillPath> files = new HashSet<>();
    private boolean closed;

    SpillSpace(SpillManager manager, String job, MemoryPool pool) {
        this.manager = manager;
        this.job = job;
        this.pool = pool;
    }

    /**
     * Starts a file.
     *
     * @throws io.spillway.error.SpillwayException {@code DISK_FULL}, {@code WRITE_FAILED}; {@code
     *     CANCELED} if the space is closed
     */
    public SpillWriter create(RowSchema schema) {
        SpillPath path = new SpillPath(manager, this, manager.newPath(job));
        synchronized (this) {
            if (closed) {
                throw SpillFailures.closed();
            }
            files.add(path);
        }
        manager.added();
        try {
            return new SpillWriter(path, schema, manager.dictionaries(), pool.allocator());
        } catch (Throwable t) {
            path.delete();
            throw t;
        }
    }

    /** Bytes that the job's files take now. */
    public synchronized long bytes() {
        return files.stream().mapToLong(SpillPath::bytes).sum();
    }

    void remove(SpillPath path) {
        synchronized (this) {
            files.remove(path);
        }
    }

    /** Deletes all files of the job; writers and readers that are open can only be closed then. */
    @Override
    public void close() {
        List<SpillPath> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(files);
        }
        left.forEach(SpillPath::delete);
        manager.forget(this);
    }
}
