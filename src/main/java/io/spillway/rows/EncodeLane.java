package io.spillway.rows;

import io.spillway.batch.RecordBatch;
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

    /** What comes next; then it is {@link #batch}. */
    private @Nullable NumberedBatch item;

    private @Nullable RecordBatch batch;
    private long firstRow;
    private int position;

    EncodeLane(Supplier<BatchEncoder> encoders, BufferAllocator allocator) {
        this.encoders = encoders;
        this.allocator = allocator;
    }

    @Override
    public void begin(NumberedBatch next) {
        item = next;
        firstRow = next.firstRow();
        position = 0;
    }

    @Override
    public @Nullable EncodedChunk next() {
        RecordBatch rows = batch();
        if (rows == null) {
            return null;
        }
        if (position == rows.rowCount()) {
            batch = null;
            rows.close();
            return null;
        }
        if (encoder == null) {
            encoder = encoders.get();
        }
        try {
            EncodedChunk chunk =
                    encoder.encode(rows, firstRow, position, rows.rowCount(), allocator);
            position += (int) chunk.rows();
            return chunk;
        } catch (SpillwayException e) {
            throw absolute(e, firstRow);
        }
    }

    private @Nullable RecordBatch batch() {
        NumberedBatch next = item;
        if (next != null) {
            item = null;
            batch = next.take(allocator);
        }
        return batch;
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
        NumberedBatch next = item;
        item = null;
        if (next != null) {
            next.close();
        }
        RecordBatch open = batch;
        batch = null;
        if (open != null) {
            open.close();
        }
    }
}
