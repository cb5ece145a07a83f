package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.GroupFormat;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
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
 * stream that uses it; but where readers come and go, each for a few rows, it stays open for a
 * moment, so that the next one finds it where the last one left it.
 *
 * <p><b>Contract.</b> Rows are found by their numbers alone, so what a stream gives depends on
 * nothing that is kept here. A reader uses one cursor at most, for whose batches ahead it has asked
 * beforehand as if it were its own. What is kept is counted as work of the pool, without waiting
 * for room, and so is what a cursor that nobody uses has ahead; all of it goes as soon as other
 * work waits for memory ({@link #drop}), or when fewer than two readers are left and none has
 * passed by lately. A reader that stays and is alone keeps nothing and looks nothing up.
 *
 * <p>Thread-safe.
 */
public final class SharedRows {

    /**
     * What batches may take, as a part of what the pool may hold. Readers in step are apart by what
     * their networks hold, some megabytes of text each, and shards by that of all shards: what is
     * kept has to reach from the first to the last of them.
     */
    private static final int BATCHES_PART = 4;

    /** What chunks may take, likewise. */
    private static final int CHUNKS_PART = 16;

    /** A cursor may be used from so many batches behind the row it stands at. */
    private static final int BATCHES_NEAR = 4;

    /** How long what readers that pass by have left behind waits for the next one. */
    private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

    /** Cursors that wait for a reader at most. */
    private static final int IDLE_CURSORS = 4;

    /** How readers use what is shared. */
    public enum Company {
        /** For long: one that is alone for the time being shares nothing. */
        STAYS,
        /** For a few rows, and others come soon for those behind them. */
        PASSES
    }

    private final RowSource source;
    private final MemoryPool pool;
    private final SharedBatches batches;
    private final SharedChunks chunks;

    // Guarded by this.
    private final List<SharedCursor> cursors = new ArrayList<>();
    private int readers;

    private int passing;

    /** When the last reader passed by. */
    private long passedAt = System.nanoTime() - LINGER_NANOS;

    private boolean closed;
    private volatile boolean sharing;

    /**
     * Nothing is kept or open yet.
     *
     * @param pool of all contexts that streams will be opened with
     */
    public SharedRows(RowSource source, MemoryPool pool) {
        this.source = source;
        this.pool = pool;
        this.batches = new SharedBatches(pool, pool.limit() / BATCHES_PART);
        this.chunks = new SharedChunks(pool, pool.limit() / CHUNKS_PART);
    }

    RowSchema schema() {
        return source.schema();
    }

    /** One more reader is going to read, also if it has no stream open for the most time. */
    public synchronized void joined(Company company) {
        readers++;
        passing += company == Company.PASSES ? 1 : 0;
        sharing = isShared(System.nanoTime());
    }

    /** A reader that has joined will open no more streams. */
    public void left(Company company) {
        synchronized (this) {
            readers--;
            if (company == Company.PASSES) {
                passing--;
                passedAt = System.nanoTime();
            }
        }
        settle();
    }

    /** Caller holds the monitor. */
    private boolean isShared(long now) {
        return !closed && (readers > 1 || passing > 0 || now - passedAt < LINGER_NANOS);
    }

    /** Gives back what waits for nobody any more; to be called from time to time. */
    public void settle() {
        long now = System.nanoTime();
        List<SharedCursor> idle;
        synchronized (this) {
            sharing = isShared(now);
            idle =
                    sharing
                            ? idle(cursor -> now - cursor.idleSince >= LINGER_NANOS)
                            : idle(cursor -> true);
        }
        idle.forEach(SharedRows::close);
        if (!sharing) {
            drop();
        }
    }

    /** Takes those out that nobody uses. Caller holds the monitor, and closes them without it. */
    private List<SharedCursor> idle(Predicate<SharedCursor> which) {
        List<SharedCursor> idle =
                cursors.stream().filter(cursor -> cursor.users == 0 && which.test(cursor)).toList();
        cursors.removeAll(idle);
        return idle;
    }

    private static void close(SharedCursor cursor) {
        MemoryReservation room = cursor.room;
        cursor.close();
        if (room != null) {
            room.close();
        }
    }

    /** Nothing is kept any more from now on. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        settle();
    }

    /** Whether {@link #chunk} would give one just now, had the reader no last row. */
    public boolean hasChunk(GroupFormat format, long row) {
        return chunks.has(format, row);
    }

    /**
     * A chunk of rows {@code [row, …)}, none of them beyond {@code to}, that another reader was
     * given; owned by the caller. Null if none is kept.
     *
     * @param format whose ids are those of the job
     */
    public @Nullable EncodedChunk chunk(GroupFormat format, long row, long to) {
        return sharing ? chunks.find(format, row, to) : null;
    }

    /**
     * Keeps a chunk for other readers, if there is room.
     *
     * @param row number of its first row
     * @param chunk stays the caller's
     */
    public synchronized void keep(GroupFormat format, long row, EncodedChunk chunk) {
        if (mayKeep()) {
            chunks.add(format, row, chunk);
        }
    }

    /**
     * Rows {@code [from, to)}, as far as there are, as {@link RowSource#open} gives them with the
     * same context; but batches may begin and end elsewhere. Nothing runs before the first pull.
     */
    public BatchStream open(long from, long to, Company company, ReadContext context) {
        return new SharedStream(
                this,
                switch (company) {
                    case STAYS -> new Wanted.Rows(from, to, to, usualNear(context));
                    case PASSES ->
                            new Wanted.Rows(
                                    from,
                                    to,
                                    Long.MAX_VALUE,
                                    Math.max(usualNear(context), keptRows(context)));
                },
                context);
    }

    /**
     * The rows at positions {@code [from, to)} of a shard, as far as there are. Where {@link
     * Shard#needs} asks for the count, that is known.
     */
    public BatchStream open(Shard shard, long from, long to, ReadContext context) {
        boolean bounded = shard.needs(from) == Long.MAX_VALUE;
        long rows = bounded ? source.rowCount().orElseThrow() : Long.MAX_VALUE;
        long end = bounded ? Math.min(to, shard.end(rows)) : to;
        return new SharedStream(
                this,
                new ShardRows(
                        shard, source, from, end, rows, keptRows(context), usualNear(context)),
                context);
    }

    /** All rows in any order; nobody shares these. */
    public BatchStream open(AnyOrder order, ReadContext context) {
        return order.rows(source, context);
    }

    private static long usualNear(ReadContext context) {
        return (long) BATCHES_NEAR * context.batchRows();
    }

    /** About how many rows are kept for others before the first ones have to go. */
    private long keptRows(ReadContext context) {
        long batch = Math.max(1, BatchSize.estimate(source.schema(), context.batchRows()));
        return pool.limit() / BATCHES_PART / 2 / batch * context.batchRows();
    }

    /** Gives back all that is kept; what readers have in hand stays theirs. */
    public void drop() {
        List<SharedCursor> idle;
        synchronized (this) {
            idle = idle(cursor -> true);
        }
        idle.forEach(SharedRows::close);
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

    /**
     * The cursor that comes to a row soonest, which a stream uses from now on. So streams that come
     * near each other meet at one cursor.
     *
     * @param used the cursor that it has used so far, if any
     */
    SharedCursor use(@Nullable SharedCursor used, long row, Wanted wanted, ReadContext context) {
        SharedCursor found;
        MemoryReservation room;
        synchronized (this) {
            found = nearest(row, wanted.near());
            if (found == null) {
                long end = Math.min(wanted.cursorEnd(row), nextStart(row));
                found =
                        new SharedCursor(
                                source.open(row, end, context.withEnding(Ending.STOP)), row, end);
                cursors.add(found);
            }
            found.users++;
            room = found.room;
            found.room = null;
        }
        if (room != null) {
            room.close();
        }
        if (used != null) {
            leave(used, context);
        }
        return found;
    }

    /** Caller holds the monitor. */
    private @Nullable SharedCursor nearest(long row, long near) {
        SharedCursor nearest = null;
        for (SharedCursor cursor : cursors) {
            if (cursor.serves(row, near)
                    && (nearest == null || cursor.position() > nearest.position())) {
                nearest = cursor;
            }
        }
        return nearest;
    }

    /**
     * Where the first cursor begins that is ahead of a row: one that is opened at the row has
     * nothing to read ahead behind that. The largest number if none is. Caller holds the monitor.
     */
    private long nextStart(long row) {
        return cursors.stream()
                .filter(cursor -> !cursor.isSpent())
                .mapToLong(SharedCursor::start)
                .filter(start -> start > row)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** A stream has done with a cursor. */
    void leave(SharedCursor cursor, ReadContext context) {
        synchronized (this) {
            cursor.users--;
            if (cursor.users > 0 || linger(cursor, context)) {
                return;
            }
            cursors.remove(cursor);
        }
        close(cursor);
    }

    /** Whether a cursor that nobody uses stays for whoever comes next. Caller holds the monitor. */
    private boolean linger(SharedCursor cursor, ReadContext context) {
        long now = System.nanoTime();
        boolean expected = passing > 0 || now - passedAt < LINGER_NANOS;
        if (closed || !expected || cursor.isSpent() || cursor.isAtEnd() || pool.isShort()) {
            return false;
        }
        if (cursors.stream().filter(other -> other.users == 0).count() > IDLE_CURSORS) {
            return false;
        }
        cursor.room =
                pool.tryAdmit(
                        BatchSize.bytesAhead(
                                source.schema(), context.batchRows(), context.parallelism()));
        cursor.idleSince = now;
        return cursor.room != null;
    }
}
