package io.spillway.spill;

import io.spillway.batch.BatchStream;
import io.spillway.batch.OffHeap;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Reads a spill file, a block a pull. */
final class SpillStream implements BatchStream {

    private final SpillPath path;
    private final BlockIndex index;
    private final BlockDecoder decoder;
    private final BufferAllocator allocator;
    private int next;

    /** Rows of the next block that have been read before. */
    private long skip;

    private Disk.@Nullable OpenFile file;

    SpillStream(
            SpillPath path,
            RowSchema schema,
            BlockIndex index,
            long fromRow,
            BufferAllocator allocator) {
        this.path = path;
        this.index = index;
        this.decoder = new BlockDecoder(schema, SpillWriter.COMPRESSION);
        this.allocator = allocator;
        this.next = index.find(fromRow);
        this.skip = next < index.size() ? fromRow - index.firstRow(next) : 0;
    }

    @Override
    public RowSchema schema() {
        return decoder.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (next >= index.size()) {
            release();
            return Poll.finished();
        }
        if (path.isDeleted()) {
            throw SpillFailures.closed();
        }
        Disk.OpenFile open = file;
        if (open == null) {
            open = path.open();
            file = open;
        }
        RecordBatch batch = block(open);
        next++;
        if (skip == 0) {
            return Poll.output(batch);
        }
        int from = (int) skip;
        skip = 0;
        try (batch) {
            return Poll.output(batch.slice(from, batch.rowCount() - from));
        }
    }

    private RecordBatch block(Disk.OpenFile open) {
        long length = index.bytes(next);
        try (ArrowBuf buffer = allocator.buffer(length)) {
            ByteBuffer block = OffHeap.view(buffer.memoryAddress(), (int) length);
            path.read(open, block, index.offset(next));
            return decoder.decode(block.flip(), allocator);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.FILE, String.valueOf(path.path().getFileName()));
        }
    }

    @Override
    public void release() {
        Disk.OpenFile open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                SpillManager.LOG.warn("a spill file could not be closed", e);
            }
        }
    }

    @Override
    public void close() {
        release();
        next = index.size();
    }
}
