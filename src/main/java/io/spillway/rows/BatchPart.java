package io.spillway.rows;

import io.spillway.batch.RecordBatch;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows {@code [from, to)} of a batch, which is read by several threads at once and given back with
 * the last of its parts.
 *
 * @param firstRow row number of the batch's first row
 * @param open the batch's parts that have not been closed
 */
record BatchPart(RecordBatch batch, long firstRow, int from, int to, AtomicInteger open)
        implements NumberedRows {

    /** All rows of a batch, which is taken over. */
    static BatchPart whole(RecordBatch batch, long firstRow) {
        return new BatchPart(batch, firstRow, 0, batch.rowCount(), new AtomicInteger(1));
    }

    /**
     * Parts of about the same size that make up a batch, which is taken over.
     *
     * @param batch with rows
     * @param mostRows of a part
     */
    static Queue<BatchPart> cut(RecordBatch batch, long firstRow, int mostRows) {
        int rows = batch.rowCount();
        int count = Math.ceilDiv(rows, mostRows);
        AtomicInteger open = new AtomicInteger(count);
        Queue<BatchPart> parts = new ArrayDeque<>(count);
        int from = 0;
        for (int i = 1; i <= count; i++) {
            int to = (int) ((long) rows * i / count);
            parts.add(new BatchPart(batch, firstRow, from, to, open));
            from = to;
        }
        return parts;
    }

    @Override
    public BatchPart take(BufferAllocator allocator) {
        return this;
    }

    @Override
    public void close() {
        if (open.decrementAndGet() == 0) {
            batch.close();
        }
    }
}
