package io.spillway.rows;

import io.spillway.encode.BatchEncoder;
import io.spillway.encode.EncodedChunk;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Lane;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Encodes batches, a chunk at a time. What it keeps between batches (scratch, formatted
 * dictionaries) is dropped while it is idle.
 */
final class EncodeLane implements Lane<NumberedBatch, EncodedChunk> {

    private final Supplier<BatchEncoder> encoders;
    private final BufferAllocator allocator;
    private @Nullable BatchEncoder encoder;
    private @Nullable NumberedBatch current;
    private int position;

    EncodeLane(Supplier<BatchEncoder> encoders, BufferAllocator allocator) {
        this.encoders = encoders;
        this.allocator = allocator;
    }

    @Override
    public void begin(NumberedBatch item) {
        current = item;
        position = 0;
    }

    @Override
    public @Nullable EncodedChunk next() {
        NumberedBatch item = current;
        if (item == null) {
            return null;
        }
        int rows = item.batch().rowCount();
        if (position == rows) {
            current = null;
            item.close();
            return null;
        }
        if (encoder == null) {
            encoder = encoders.get();
        }
        try {
            EncodedChunk chunk = encoder.encode(item.batch(), position, rows, allocator);
            position += (int) chunk.rows();
            return chunk;
        } catch (SpillwayException e) {
            throw absolute(e, item.firstRow());
        }
    }

    /** The encoder names the row in its batch; clients know rows by number. */
    private static SpillwayException absolute(SpillwayException failure, long firstRow) {
        if (!(failure.context().get(SpillwayException.ROW) instanceof Number row)) {
            return failure;
        }
        return failure.movedTo(SpillwayException.ROW, firstRow + row.longValue());
    }

    @Override
    public void idle() {
        BatchEncoder open = encoder;
        encoder = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        idle();
        NumberedBatch open = current;
        current = null;
        if (open != null) {
            open.close();
        }
    }
}
