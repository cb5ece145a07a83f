package io.spillway.operator.join;

import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.RowGather;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rows kept in memory, by number. Batches are kept as they come, but small ones are put together,
 * so that many of them cost neither heap nor time. Memory is counted by a holding, which stays the
 * caller's; closing shrinks it.
 */
final class StoredRows implements AutoCloseable {

    /** A batch of so many rows or bytes is kept as it is. */
    private static final int LARGE_ROWS = 1024;

    private static final long LARGE_BYTES = 64 << 10;

    /** So many rows or bytes of small batches are put together. */
    private static final int PACK_ROWS = 4 * LARGE_ROWS;

    private static final long PACK_BYTES = 4 * LARGE_BYTES;

    /** Rows to each of which the batch is noted in which it is. */
    private static final int SHIFT = 6;

    private final RowSchema schema;
    private final BufferAllocator allocator;
    private final MemoryHolding holding;
    private final Set<Dictionary> dictionaries = Collections.newSetFromMap(new IdentityHashMap<>());

    /** A batch, and what the holding counts for it. */
    private record Stored(RecordBatch batch, long bytes) {}

    private final Deque<Stored> stored = new ArrayDeque<>();
    private final List<Stored> small = new ArrayList<>();

    /** Bytes for the next batch. */
    private long reserved;

    private int smallRows;
    private long smallBytes;
    private int count;
    private int[] firstRows = new int[0];
    private int[] batchOf = new int[0];

    StoredRows(RowSchema schema, BufferAllocator allocator, MemoryHolding holding) {
        this.schema = schema;
        this.allocator = allocator;
        this.holding = holding;
    }

    /** Number of rows. */
    int count() {
        return count;
    }

    /**
     * Takes the memory of a batch that is to be {@linkplain #add added} next.
     *
     * @return false if there is none
     */
    boolean reserve(RecordBatch batch) {
        if (smallRows >= PACK_ROWS || smallBytes >= PACK_BYTES) {
            pack();
        }
        long bytes = Footprint.of(batch, dictionaries);
        if (!holding.tryGrow(bytes)) {
            return false;
        }
        reserved += bytes;
        return true;
    }

    /** Adds the rows of the batch for which there is memory, and takes it over. */
    void add(RecordBatch batch) {
        int rows = batch.rowCount();
        long bytes = reserved;
        reserved = 0;
        count += rows;
        if (rows >= LARGE_ROWS || bytes >= LARGE_BYTES) {
            pack();
            stored.add(new Stored(batch, bytes));
        } else {
            small.add(new Stored(batch, bytes));
            smallRows += rows;
            smallBytes += bytes;
        }
    }

    /** Puts the small batches together, if the holding counts enough for that. */
    private void pack() {
        if (small.size() < 2) {
            stored.addAll(small);
            clearSmall();
            return;
        }
        List<RecordBatch> parts = small.stream().map(Stored::batch).toList();
        RecordBatch whole = together(parts, smallRows);
        long bytes = Footprint.of(whole, dictionaries);
        if (bytes > smallBytes) {
            if (!holding.tryGrow(bytes - smallBytes)) {
                whole.close();
                stored.addAll(small);
                clearSmall();
                return;
            }
        } else {
            holding.shrink(smallBytes - bytes);
        }
        stored.add(new Stored(whole, bytes));
        parts.forEach(RecordBatch::close);
        clearSmall();
    }

    private void clearSmall() {
        small.clear();
        smallRows = 0;
        smallBytes = 0;
    }

    private RecordBatch together(List<RecordBatch> parts, int rows) {
        int[] sourceOf = new int[rows];
        int[] rowOf = new int[rows];
        int at = 0;
        for (int part = 0; part < parts.size(); part++) {
            for (int row = 0; row < parts.get(part).rowCount(); row++) {
                sourceOf[at] = part;
                rowOf[at++] = row;
            }
        }
        return new RowGather(schema, parts).gather(sourceOf, rowOf, rows, allocator);
    }

    /** No more rows will be added; now they can be looked up. */
    void finish() {
        pack();
        firstRows = new int[stored.size() + 1];
        batchOf = new int[(count >>> SHIFT) + 1];
        int batch = 0;
        int row = 0;
        for (Stored each : stored) {
            firstRows[batch] = row;
            int next = row + each.batch.rowCount();
            int from = (row + (1 << SHIFT) - 1) >>> SHIFT;
            int to = (next + (1 << SHIFT) - 1) >>> SHIFT;
            Arrays.fill(batchOf, from, to, batch);
            batch++;
            row = next;
        }
        firstRows[batch] = row;
    }

    /** The batches, in order; they stay this one's. */
    List<RecordBatch> batches() {
        return stored.stream().map(Stored::batch).toList();
    }

    /**
     * Where rows are.
     *
     * @param rows numbers of rows; negative ones stay so
     * @param from the first that is looked up
     * @param count how many are
     * @param sourceOf for each the place of its batch, out
     * @param rowOf for each its number there, out
     */
    void locate(int[] rows, int from, int count, int[] sourceOf, int[] rowOf) {
        for (int i = 0; i < count; i++) {
            int row = rows[from + i];
            if (row < 0) {
                sourceOf[i] = 0;
                rowOf[i] = row;
                continue;
            }
            int batch = batchOf(row);
            sourceOf[i] = batch;
            rowOf[i] = row - firstRows[batch];
        }
    }

    /** The place of the batch that a row is in. */
    int batchOf(int row) {
        int batch = batchOf[row >>> SHIFT];
        while (row >= firstRows[batch + 1]) {
            batch++;
        }
        return batch;
    }

    /** The number of a batch's first row. */
    int firstRow(int batch) {
        return firstRows[batch];
    }

    /** The next batch, in order, for good: owned by the caller. Null if there is no more. */
    @Nullable RecordBatch remove() {
        if (stored.isEmpty()) {
            stored.addAll(small);
            clearSmall();
        }
        Stored next = stored.poll();
        if (next == null) {
            return null;
        }
        holding.shrink(next.bytes);
        return next.batch;
    }

    @Override
    public void close() {
        for (RecordBatch next = remove(); next != null; next = remove()) {
            next.close();
        }
        holding.shrink(reserved);
        reserved = 0;
    }
}
