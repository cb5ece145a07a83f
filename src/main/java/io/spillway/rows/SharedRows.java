package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.EventFormat;
import io.spillway.memory.MemoryPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job's rows for readers that are often near each other: dashboards that follow the same stream,
 * or shards that divide it. What one of them has had encoded or decoded serves the others:
 *
 * <pre>
 *   reader at row 5,000 ──▶ kept chunks ── has it ───▶ the same bytes
 *                               │ has not, or the format is another
 *                               ▼
 *                           kept batches ── has it ──▶ a slice of the batch
 *                               │ has not
 *                               ▼
 *                           cursors ── one is at row 5,000, or little before it ──▶ pull it
 *                               │ none is                                            │
 *                               ▼                                                    ▼
 *                           open one there                         keep the batch, give a slice
 * </pre>
 *
 * <p>A cursor is a stream of the source. Whoever needs its next batch pulls it, so readers that
 * share one never wait for each other's pace, but only for the rows. It is closed with the last
 * stream that uses it.
 *
 * <p><b>Contract.</b> Rows are found by their numbers alone, so what a stream gives depends on
 * nothing that is kept here. A reader uses one cursor at most, for whose batches ahead it has asked
 * beforehand as if it were its own. What is kept is counted as work of the pool, without waiting
 * for room; all of it goes as soon as other work waits for memory ({@link #drop}), or when fewer
 * than two readers are left. A reader that is alone keeps nothing and looks nothing up.
 *
 * <p>Thread-safe.
 */
public final class SharedRows {

    /** What batches may take, and what chunks may, as a part of what the pool may hold. */
    private static final int PART_OF_POOL = 16;

    /** A cursor may be used from so many batches behind the row it stands at. */
    private static final int BATCHES_NEAR = 4;

    private final RowSource source;
    private final MemoryPool pool;
    private final SharedBatches batches;
    private final SharedChunks chunks;

    // Guarded by this.
    private final List<SharedCursor> cursors = new ArrayList<>();
    private int readers;

    private volatile boolean sharing;

    /**
     * Nothing is kept or open yet.
     *
     * @param pool of all contexts that streams will be opened with
     */
    public SharedRows(RowSource source, MemoryPool pool) {
        this.source = source;
        this.pool = pool;
        this.batches = new SharedBatches(pool, pool.limit() / PART_OF_POOL);
        this.chunks = new SharedChunks(pool, pool.limit() / PART_OF_POOL);
    }

    RowSchema schema() {
        return source.schema();
    }

    /** One more reader is going to read, also if it has no stream open for the most time. */
    public synchronized void joined() {
        readers++;
        sharing = readers > 1;
    }

    /** A reader that has joined will open no more streams. */
    public synchronized void left() {
        readers--;
        sharing = readers > 1;
        if (!sharing) {
            drop();
        }
    }

    /** Whether {@link #chunk} would give one just now, had the reader no last row. */
    public boolean hasChunk(EventFormat format, long row) {
        return chunks.has(format, row);
    }

    /**
     * A chunk of rows {@code [row, …)}, none of them beyond {@code to}, that another reader was
     * given; owned by the caller. Null if none is kept.
     *
     * @param format whose ids are those of the job
     */
    public @Nullable EncodedChunk chunk(EventFormat format, long row, long to) {
        return sharing ? chunks.find(format, row, to) : null;
    }

    /**
     * Keeps a chunk for other readers, if there is room.
     *
     * @param row number of its first row
     * @param chunk stays the caller's
     */
    public synchronized void keep(EventFormat format, long row, EncodedChunk chunk) {
        if (mayKeep()) {
            chunks.add(format, row, chunk);
        }
    }

    /**
     * Rows {@code [from, to)}, as far as there are, as {@link RowSource#open} gives them with the
     * same context; but batches may begin and end elsewhere. Nothing runs before the first pull.
     */
    public BatchStream open(long from, long to, ReadContext context) {
        return new SharedStream(this, from, to, context);
    }

    /** Gives back all that is kept; what readers have in hand stays theirs. */
    public void drop() {
        batches.clear();
        chunks.clear();
    }

    /** Bytes of all that is kept. */
    public long keptBytes() {
        return batches.bytes() + chunks.bytes();
    }

    /** A batch that begins with a row, if it is kept; the caller owns it. */
    @Nullable RecordBatch find(long row) {
        return sharing ? batches.find(row) : null;
    }

    /**
     * Keeps a batch, which stays the caller's, if there is room.
     *
     * @param first number of its first row
     */
    synchronized void keep(long first, RecordBatch batch) {
        if (mayKeep()) {
            batches.add(first, batch);
        }
    }

    /** Caller holds the monitor. */
    private boolean mayKeep() {
        if (sharing && pool.isShort()) {
            drop();
            return false;
        }
        return sharing;
    }

    /** A cursor that comes to a row next or soon, for one more stream. */
    synchronized SharedCursor use(long row, long to, ReadContext context) {
        for (SharedCursor cursor : cursors) {
            if (cursor.serves(row, to)) {
                cursor.users++;
                return cursor;
            }
        }
        SharedCursor cursor =
                new SharedCursor(
                        source.open(row, to, context),
                        row,
                        to,
                        (long) BATCHES_NEAR * context.batchRows());
        cursor.users = 1;
        cursors.add(cursor);
        return cursor;
    }

    /** A stream has done with a cursor. */
    void leave(SharedCursor cursor) {
        synchronized (this) {
            cursor.users--;
            if (cursor.users > 0) {
                return;
            }
            cursors.remove(cursor);
        }
        cursor.close();
    }
}
