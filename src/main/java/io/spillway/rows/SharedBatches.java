package io.spillway.rows;

import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Batches by their row numbers, as many as fit a bound, with the dictionaries that they refer to.
 * Thread-safe.
 */
final class SharedBatches {

    private final MemoryPool pool;
    private final SharedDictionaries dictionaries;
    private final long limit;

    // Guarded by this.
    private final SegmentedLru<Long, Kept> kept;

    /** Rows of each batch, by the number of the first one. */
    private final TreeMap<Long, Integer> ranges = new TreeMap<>();

    /**
     * Empty.
     *
     * @param pool that the batches' memory belongs to
     * @param limit bytes that they may have together
     */
    SharedBatches(MemoryPool pool, long limit) {
        this.pool = pool;
        this.limit = limit;
        this.dictionaries = new SharedDictionaries(pool);
        this.kept = new SegmentedLru<>(limit);
    }

    private final class Kept implements SegmentedLru.Value {

        private final long first;
        private final RecordBatch batch;
        private final MemoryReservation room;

        Kept(long first, RecordBatch batch, MemoryReservation room) {
            this.first = first;
            this.batch = batch;
            this.room = room;
        }

        @Override
        public long bytes() {
            return room.bytes();
        }

        @Override
        public void close() {
            ranges.remove(first);
            dictionaries.letGo(batch);
            batch.close();
            room.close();
        }
    }

    /** Bytes of all batches and their dictionaries. */
    synchronized long bytes() {
        return kept.bytes() + dictionaries.bytes();
    }

    /** A batch that begins with a row, owned by the caller; null if the row is not here. */
    synchronized @Nullable RecordBatch find(long row) {
        Map.Entry<Long, Integer> range = around(row, 1);
        if (range == null) {
            return null;
        }
        Kept found = kept.find(range.getKey());
        if (found == null) {
            return null;
        }
        int from = (int) (row - found.first);
        return found.batch.slice(from, range.getValue() - from);
    }

    /** The range that has all of some rows. */
    private Map.@Nullable Entry<Long, Integer> around(long row, int rows) {
        Map.Entry<Long, Integer> floor = ranges.floorEntry(row);
        return floor != null && row + rows <= floor.getKey() + floor.getValue() ? floor : null;
    }

    /**
     * Shares a batch, unless its rows are here, or it is large, or there is no room in the pool.
     *
     * @param first number of its first row
     * @param batch stays the caller's
     */
    synchronized void add(long first, RecordBatch batch) {
        int rows = batch.rowCount();
        long size = batch.bytes();
        long missing = dictionaries.missing(batch);
        if (rows == 0 || around(first, rows) != null || size + missing > kept.mostBytes()) {
            return;
        }
        kept.makeRoom(size);
        while (bytes() + size + missing > limit && kept.bytes() > 0) {
            // What a dictionary takes is free only when the last batch has gone that refers to it.
            kept.makeRoom(limit - kept.bytes() + 1);
        }
        MemoryReservation room = pool.tryAdmit(size);
        if (room == null) {
            return;
        }
        if (!dictionaries.hold(batch)) {
            room.close();
            return;
        }
        try {
            kept.put(first, new Kept(first, batch.slice(0, rows), room));
        } catch (Throwable t) {
            dictionaries.letGo(batch);
            room.close();
            throw t;
        }
        ranges.put(first, rows);
    }

    /** Gives all back. */
    synchronized void clear() {
        kept.clear();
    }
}
