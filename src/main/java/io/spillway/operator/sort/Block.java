package io.spillway.operator.sort;

import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Some sorted rows. Counted: whoever still takes rows from it has a reference, the maker has the
 * first; the last one given back frees the rows, and what of a holding was taken for them.
 */
final class Block implements AutoCloseable {

    private final RecordBatch batch;
    private final @Nullable MemoryHolding holding;
    private final long held;
    private final AtomicInteger references = new AtomicInteger(1);

    /** Rows before this one have been taken. */
    private int first;

    private Block(RecordBatch batch, @Nullable MemoryHolding holding, long held) {
        this.batch = batch;
        this.holding = holding;
        this.held = held;
    }

    /** A block for which nothing is held. Takes the batch over. */
    static Block of(RecordBatch batch) {
        return new Block(batch, null, 0);
    }

    /** A block for which so much of a holding was taken. Takes the batch over. */
    static Block held(RecordBatch batch, MemoryHolding holding, long bytes) {
        return new Block(batch, holding, bytes);
    }

    RecordBatch batch() {
        return batch;
    }

    int first() {
        return first;
    }

    void setFirst(int row) {
        first = row;
    }

    /** Bytes of the holding. */
    long held() {
        return held;
    }

    Block retain() {
        references.incrementAndGet();
        return this;
    }

    @Override
    public void close() {
        if (references.decrementAndGet() == 0) {
            batch.close();
            if (holding != null) {
                holding.shrink(held);
            }
        }
    }
}
