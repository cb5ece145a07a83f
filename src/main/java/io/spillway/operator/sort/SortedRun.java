package io.spillway.operator.sort;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.spill.SpillFile;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Sorted rows on disk; owns its file. */
final class SortedRun implements SortedPart {

    private final SpillFile file;
    private final KeyPrefix prefix;
    private final byte @Nullable [] bound;
    private final long blockBytes;
    private final BufferAllocator allocator;
    private @Nullable BatchStream stream;

    /** The first row that has not been taken. */
    private long next;

    /**
     * Takes the file over.
     *
     * @param blockBytes of the largest block, its keys included
     */
    SortedRun(
            SpillFile file,
            KeyPrefix prefix,
            byte @Nullable [] bound,
            long blockBytes,
            BufferAllocator allocator) {
        this.file = file;
        this.prefix = prefix;
        this.bound = bound;
        this.blockBytes = blockBytes;
        this.allocator = allocator;
    }

    @Override
    public long rows() {
        return file.rows() - next;
    }

    /** Bytes on disk. */
    long bytes() {
        return file.bytes();
    }

    @Override
    public KeyPrefix prefix() {
        return prefix;
    }

    @Override
    public byte @Nullable [] bound() {
        return bound;
    }

    /** A block, and the one before it while rows of it are still to be copied. */
    @Override
    public long mergeBytes() {
        return 2 * blockBytes;
    }

    @Override
    public @Nullable Block next() {
        BatchStream open = stream;
        if (open == null) {
            open = file.read(next, allocator);
            stream = open;
        }
        return switch (open.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                next += batch.rowCount();
                yield Block.of(batch);
            }
            case Poll.Finished<RecordBatch> _ -> null;
            case Poll.Blocked<RecordBatch> _ ->
                    throw new IllegalStateException("a spill file is never waited for");
        };
    }

    @Override
    public void giveBack(@Nullable Block block) {
        if (block != null) {
            next -= block.batch().rowCount() - block.first();
            block.close();
        }
        drop();
    }

    private void drop() {
        BatchStream open = stream;
        stream = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        drop();
        file.close();
    }
}
