package io.spillway.expression;

import io.spillway.batch.HeldBytes;
import io.spillway.batch.RecordBatch;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Gives rows memory of their own where they would keep much more from being freed than they take: a
 * few rows of a large batch, or a few columns of a block that was read as one piece. For those who
 * collect batches; rows that are passed on may go on sharing memory.
 */
public final class Compact {

    /** Arrow's buffers are powers of two: so many times what rows take is no more than usual. */
    private static final int USUAL = 2;

    /** What small batches hold in any case, about. */
    private static final long SMALL_BYTES = 2 << 10;

    private Compact() {}

    /**
     * The batch itself, or its rows once more if they hold much more memory than they take.
     * Dictionaries stay shared, and are not looked at.
     *
     * @param batch taken over, whether this fails or not
     * @return owned by the caller
     */
    public static RecordBatch compact(RecordBatch batch, BufferAllocator allocator) {
        if (new HeldBytes().columns(batch) <= USUAL * batch.bytes() + SMALL_BYTES) {
            return batch;
        }
        try (batch) {
            return Concat.concat(List.of(batch), allocator);
        }
    }
}
