package io.spillway.rows;

import io.spillway.encode.EncodedChunk;
import io.spillway.encode.GroupFormat;
import io.spillway.encode.JsonFormat;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import org.jspecify.annotations.Nullable;

/**
 * Encoded rows of a job by layout and row number, as many as fit a bound. Readers that have begun
 * at the same row, or that read events of a row each, see their chunks begin at the same rows.
 * Thread-safe.
 */
final class SharedChunks {

    private final MemoryPool pool;

    // Guarded by this.
    private final SegmentedLru<Key, Kept> kept;

    /**
     * What decides on the bytes of rows, beside the rows and the job.
     *
     * @param phase number of rows from the start of a group to the first row of the chunk
     */
    private record Key(JsonFormat layout, int size, long phase, long row) {

        Key(GroupFormat format, long row) {
            this(format.rows(), format.size(), (row - format.origin()) % format.size(), row);
        }
    }

    private record Kept(EncodedChunk chunk, MemoryReservation room) implements SegmentedLru.Value {

        @Override
        public long bytes() {
            return room.bytes();
        }

        @Override
        public void close() {
            chunk.close();
            room.close();
        }
    }

    /**
     * Empty.
     *
     * @param pool that the chunks' memory belongs to
     * @param limit bytes that they may have together
     */
    SharedChunks(MemoryPool pool, long limit) {
        this.pool = pool;
        this.kept = new SegmentedLru<>(limit);
    }

    synchronized long bytes() {
        return kept.bytes();
    }

    synchronized boolean has(GroupFormat format, long row) {
        return kept.has(new Key(format, row));
    }

    /** A chunk of rows from one on that are all before another one; owned by the caller. */
    synchronized @Nullable EncodedChunk find(GroupFormat format, long row, long to) {
        Kept found = kept.find(new Key(format, row));
        return found == null || found.chunk().rows() > to - row ? null : shared(found.chunk());
    }

    /**
     * Shares a chunk, unless there is one here, or it is large, or there is no room in the pool.
     *
     * @param row number of its first row
     * @param chunk stays the caller's
     */
    synchronized void add(GroupFormat format, long row, EncodedChunk chunk) {
        Key key = new Key(format, row);
        long size = chunk.bytes().capacity();
        if (kept.has(key) || size > kept.mostBytes()) {
            return;
        }
        kept.makeRoom(size);
        MemoryReservation room = pool.tryAdmit(size);
        if (room != null) {
            kept.put(key, new Kept(shared(chunk), room));
        }
    }

    /** The same bytes with a reference of its own. */
    private static EncodedChunk shared(EncodedChunk chunk) {
        chunk.bytes().getReferenceManager().retain();
        return new EncodedChunk(chunk.bytes(), chunk.length(), chunk.rows());
    }

    /** Gives all back. */
    synchronized void clear() {
        kept.clear();
    }
}
