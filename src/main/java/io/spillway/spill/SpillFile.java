package io.spillway.spill;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import org.apache.arrow.memory.BufferAllocator;

/** A finished spill file. Thread-safe: many may read it at a time. */
public final class SpillFile implements AutoCloseable {

    private final SpillPath path;
    private final RowSchema schema;
    private final BlockIndex index;
    private final long batchBytes;

    SpillFile(SpillPath path, RowSchema schema, BlockIndex index, long batchBytes) {
        this.path = path;
        this.schema = schema;
        this.index = index;
        this.batchBytes = batchBytes;
    }

    public RowSchema schema() {
        return schema;
    }

    public long rows() {
        return index.rows();
    }

    /** Bytes on disk. */
    public long bytes() {
        return path.bytes();
    }

    /**
     * Bytes of memory of the largest batch that is read of it, as the allocator rounds them.
     * Reading it takes no more than once more of that for its block, until the batch is there.
     */
    public long batchBytes() {
        return batchBytes <= 1 ? batchBytes : Long.highestOneBit(batchBytes - 1) << 1;
    }

    /** Reads all rows. */
    public BatchStream read(BufferAllocator allocator) {
        return read(0, allocator);
    }

    /**
     * Reads rows in order. The stream opens the file at its first pull, and holds no memory between
     * pulls; a pull takes up to a MiB, more only for a row that is larger. It fails with {@code
     * READ_FAILED} if the disk does or what was written has been damaged, and with {@code CANCELED}
     * once the file is closed.
     *
     * @param fromRow the first row to read
     * @param allocator for the batches
     */
    public BatchStream read(long fromRow, BufferAllocator allocator) {
        return new SpillStream(path, schema, index, fromRow, allocator);
    }

    /** Deletes the file; its streams fail from now on. */
    @Override
    public void close() {
        path.delete();
    }
}
