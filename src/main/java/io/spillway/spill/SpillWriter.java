package io.spillway.spill;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.batch.codec.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes one spill file. Holds no memory between calls; while it appends it takes up to half a MiB
 * of the pool, more only for a row that is larger. Not thread-safe, but may move between threads.
 */
public final class SpillWriter implements AutoCloseable {

    static final Compression COMPRESSION = Compression.LZ4;

    private final SpillPath path;
    private final RowSchema schema;
    private final BufferAllocator allocator;
    private final BlockEncoder encoder;
    private final Disk.OpenFile file;
    private final BlockIndex index;
    private long batchBytes;
    private boolean ended;

    SpillWriter(
            SpillPath path,
            RowSchema schema,
            DictionaryDecoder dictionaries,
            BufferAllocator allocator) {
        this.path = path;
        this.schema = schema;
        this.allocator = allocator;
        this.encoder = new BlockEncoder(schema, COMPRESSION, dictionaries);
        byte[] first = BlockFormat.schema(schema);
        this.index = new BlockIndex(first.length);
        this.file = path.create();
        try {
            path.write(file, ByteBuffer.wrap(first));
        } catch (Throwable t) {
            closeFile();
            throw t;
        }
    }

    /**
     * Appends rows; the batch stays the caller's. A batch becomes one block, or several if it is
     * large: batches of a few hundred kilobytes are written and read best.
     *
     * @throws io.spillway.error.SpillwayException {@code DISK_FULL} if the disk or the quota is,
     *     {@code WRITE_FAILED}; the writer can only be closed then
     */
    public void append(RecordBatch batch) {
        if (ended) {
            throw new IllegalStateException("The spill file is finished");
        }
        if (batch.rowCount() == 0) {
            return;
        }
        encoder.encode(
                batch,
                allocator,
                block -> {
                    path.write(file, block.bytes());
                    index.add(block.rows(), block.length());
                    batchBytes = Math.max(batchBytes, block.rawBytes());
                });
    }

    /** Rows appended so far. */
    public long rows() {
        return index.rows();
    }

    /** Bytes written so far. */
    public long bytes() {
        return path.bytes();
    }

    /**
     * Ends the file, which is the caller's from now on.
     *
     * @throws io.spillway.error.SpillwayException as {@link #append}
     */
    public SpillFile finish() {
        if (ended) {
            throw new IllegalStateException("The spill file is finished");
        }
        try {
            file.close();
        } catch (IOException e) {
            throw SpillFailures.write(path.path(), e);
        }
        ended = true;
        return new SpillFile(path, schema, index, batchBytes);
    }

    /** Deletes the file, unless it is finished. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            closeFile();
            path.delete();
        }
    }

    /** It is deleted anyway. */
    private void closeFile() {
        try {
            file.close();
        } catch (IOException e) {
            SpillManager.LOG.warn("a spill file could not be closed", e);
        }
    }
}
