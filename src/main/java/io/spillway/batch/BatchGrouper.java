package io.spillway.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects batches and gives their rows out in groups of exactly so many, or of a multiple of it,
 * wherever the batches begin and end. What is cut are slices, which share memory. Owns what it has
 * collected and not given out. One thread at a time.
 *
 * <pre>
 *   added     |------7------|--3--|---------9---------|        groups of 4
 *   groups    |---4---|---4----|---4---|---4---|--3    rest
 * </pre>
 */
public final class BatchGrouper implements AutoCloseable {

    private final int size;
    private final long most;

    /** Of the first one, rows from {@code headFrom} on. */
    private final ArrayDeque<RecordBatch> parts = new ArrayDeque<>();

    private int headFrom;
    private long pending;

    /** How many rows are missing from the group that comes next when nothing is pending. */
    private long missing;

    /**
     * Has nothing.
     *
     * @param size rows of a group
     * @param have rows that the first group has elsewhere already, fewer than {@code size}
     * @param most how many groups may be given out as one
     */
    public BatchGrouper(int size, int have, long most) {
        this.size = size;
        this.missing = (long) size - have;
        this.most = most;
    }

    /** Takes over a batch. */
    public void add(RecordBatch batch) {
        if (batch.rowCount() == 0) {
            batch.close();
        } else {
            parts.add(batch);
            pending += batch.rowCount();
        }
    }

    /** The groups that are whole, as far as one answer may have them; null if none is. */
    public @Nullable BatchGroup next() {
        if (pending < missing) {
            return null;
        }
        long groups = Math.min((pending - missing) / size, most - 1);
        BatchGroup group = take(missing + groups * size);
        missing = size;
        return group;
    }

    /** All that is left, which makes no whole group; null if nothing is. */
    public @Nullable BatchGroup rest() {
        return pending == 0 ? null : take(pending);
    }

    private BatchGroup take(long rows) {
        List<RecordBatch> taken = new ArrayList<>();
        long left = rows;
        while (left > 0) {
            RecordBatch head = parts.element();
            int count = (int) Math.min(head.rowCount() - headFrom, left);
            taken.add(count == head.rowCount() ? head : head.slice(headFrom, count));
            left -= count;
            headFrom += count;
            if (headFrom == head.rowCount()) {
                parts.remove();
                headFrom = 0;
                if (count < head.rowCount()) {
                    head.close();
                }
            }
        }
        pending -= rows;
        return new BatchGroup(taken, rows);
    }

    /** Closes what is left; further calls do nothing. */
    @Override
    public void close() {
        parts.forEach(RecordBatch::close);
        parts.clear();
        headFrom = 0;
        pending = 0;
    }
}
