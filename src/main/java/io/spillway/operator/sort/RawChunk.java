package io.spillway.operator.sort;

import io.spillway.batch.HeldBytes;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.EncodedKeys;
import java.util.ArrayList;
import java.util.List;

/** Batches of the input that will be sorted together, with what is held for that. */
final class RawChunk implements AutoCloseable {

    private final SortShape shape;
    private final MemoryHolding holding;
    private final int keyWidth;
    private final List<RecordBatch> batches = new ArrayList<>();
    private final HeldBytes memory = new HeldBytes();
    private long held;
    private int rows;
    private boolean closed;

    /**
     * A chunk without rows.
     *
     * @param keyWidth bytes of each key, or {@link EncodedKeys#VARIABLE}
     */
    RawChunk(SortShape shape, int keyWidth, MemoryHolding holding) {
        this.shape = shape;
        this.keyWidth = keyWidth;
        this.holding = holding;
    }

    /**
     * Adds a batch if there is memory for it: for the batch, its rows once more when they are
     * sorted, their keys and their index.
     *
     * @param batch taken over if it is added
     * @return whether it is
     */
    boolean add(RecordBatch batch) {
        long plain = new RowSizes(batch).sum(batch.rowCount());
        long keys = keyWidth >= 0 ? (long) keyWidth * batch.rowCount() : plain;
        long index = (long) KeyIndex.BYTES_PER_ROW * batch.rowCount();
        long bytes = memory.columns(batch) + memory.dictionaries(batch) + plain + keys + index;
        if (!holding.tryGrow(bytes)) {
            return false;
        }
        held += bytes;
        addAnyway(batch);
        return true;
    }

    /** Adds a batch for which nothing is held; takes it over. */
    void addAnyway(RecordBatch batch) {
        batches.add(batch);
        rows += batch.rowCount();
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    int rows() {
        return rows;
    }

    /** Bytes of the holding that are this chunk's. */
    long held() {
        return held;
    }

    /** Whether it is time to sort it. */
    boolean isFull() {
        return held >= shape.chunkBytes()
                || rows >= SortShape.CHUNK_ROWS
                || (shape.isLimited() && rows >= shape.limitedChunkRows());
    }

    List<RecordBatch> batches() {
        return batches;
    }

    /** What is held is the caller's from now on; closing frees the batches alone. */
    long takeHeld() {
        long taken = held;
        held = 0;
        return taken;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            batches.forEach(RecordBatch::close);
            holding.shrink(held);
        }
    }
}
