package io.spillway.operator.sort;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.WorkContext;
import io.spillway.operator.key.KeyEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A sort at work.
 *
 * <pre>
 *            end of input            all sorted, few runs             last row
 *   READING ──────────────▶ MERGING ──────────────────────▶ GIVING ───────────▶ ENDED
 *                              ▲                               │
 *                              └── memory is wanted elsewhere ─┘
 * </pre>
 *
 * While memory does not grow, the batch in hand waits until chunks have been written to disk; one
 * for which there is none though nothing is held is sorted and written by itself.
 */
final class SortStream implements BatchStream {

    /** Bytes of a batch that comes out, about; a row that has more goes alone. */
    static final long OUTPUT_BYTES = 1 << 20;

    /** What comes out is no more than such a part of all memory. */
    private static final int OUTPUT_PART = 32;

    /** What is asked for before anything is read: for writing a run, and batches that come out. */
    private static final long FLOOR = 512 << 10;

    private enum State {
        READING,
        MERGING,
        GIVING,
        ENDED
    }

    private final BatchStream input;
    private final SortShape shape;
    private final MemoryPool pool;
    private final int batchRows;
    private final int parallelism;
    private final int keyWidth;
    private final MemoryHolding holding;
    private final Parts parts;
    private final BestRows best;
    private final RunMerges merges;
    private @Nullable CompletableFuture<MemoryReservation> floor;
    private State state = State.READING;
    private RawChunk open;
    private @Nullable RecordBatch pending;
    private @Nullable Merger merger;
    private long left;

    /** Bytes that are worth a run; 0 as long as all rows have fitted in memory. */
    private long runBytes;

    private boolean closed;

    SortStream(BatchStream input, SortShape shape, WorkContext context) {
        this.input = input;
        this.shape = shape;
        this.pool = context.pool();
        this.batchRows = context.batchRows();
        this.parallelism = context.parallelism();
        try (KeyEncoder encoder = shape.encoder()) {
            this.keyWidth = encoder.width();
        }
        this.left = shape.limit();
        this.holding = pool.hold("sort");
        this.parts = new Parts(shape, keyWidth, holding, context);
        this.best = new BestRows(shape);
        this.merges = new RunMerges(pool, parts, pool.limit() / 2 - floorBytes());
        this.open = new RawChunk(shape, keyWidth, holding);
    }

    @Override
    public RowSchema schema() {
        return shape.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (state == State.ENDED) {
            return Poll.finished();
        }
        if (left == 0) {
            return end();
        }
        if (floor == null) {
            floor = pool.admitStanding(floorBytes());
        }
        if (!floor.isDone()) {
            return Poll.blocked(floor);
        }
        RunMerges.granted(floor);
        parts.collect();
        return switch (state) {
            case READING -> read();
            case MERGING -> merge();
            case GIVING -> give();
            case ENDED -> Poll.finished();
        };
    }

    private long outputBytes() {
        return Math.min(OUTPUT_BYTES, pool.limit() / OUTPUT_PART);
    }

    private long floorBytes() {
        return Math.min(FLOOR, pool.limit() / 16);
    }

    private Poll<RecordBatch> read() {
        if (pending == null) {
            switch (input.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> pending = keep(batch);
                case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                    if (isWanted()) {
                        seal();
                    }
                    work(isWanted());
                    return await(until);
                }
                case Poll.Finished<RecordBatch> _ -> {
                    input.close();
                    seal();
                    best.close();
                    state = State.MERGING;
                    return Poll.again();
                }
            }
        }
        boolean added = pending == null || add(pending);
        work(!added);
        return added ? Poll.again() : Poll.blocked(parts.progress());
    }

    /** Null if no row of the batch is wanted. */
    private @Nullable RecordBatch keep(RecordBatch batch) {
        RecordBatch kept = best.keep(batch, parts.bound());
        if (kept.rowCount() == 0) {
            kept.close();
            return null;
        }
        return kept;
    }

    private boolean add(RecordBatch batch) {
        if (open.add(batch)) {
            pending = null;
            if (open.isFull()) {
                seal();
            }
            return true;
        }
        runBytes = Math.max(shape.chunkBytes(), holding.bytes() / (parallelism + 1));
        if (parts.isBusy() || parts.isUnsorted() || parts.hasChunks()) {
            return false;
        }
        if (open.isEmpty()) {
            open.addAnyway(batch);
            pending = null;
        }
        seal();
        return false;
    }

    private void seal() {
        if (!open.isEmpty()) {
            parts.add(open);
            open = new RawChunk(shape, keyWidth, holding);
        }
    }

    /**
     * Starts what tasks can do now.
     *
     * @param spill whether all that can be is to be written to disk
     */
    private void work(boolean spill) {
        if (shape.isLimited()) {
            parts.compact();
        }
        if (spill || runBytes > 0) {
            parts.spill(Math.max(runBytes, shape.chunkBytes()), spill);
        }
        parts.sort();
    }

    /** Whether somebody waits for memory that is held here. */
    private boolean isWanted() {
        return holding.revoked().isDone();
    }

    private Poll<RecordBatch> await(CompletableFuture<?> until) {
        if (until.isDone()) {
            return Poll.blocked(until);
        }
        List<CompletableFuture<?>> any = new ArrayList<>();
        any.add(until);
        if (!isWanted()) {
            any.add(holding.revoked());
        }
        if (parts.isBusy()) {
            any.add(parts.progress());
        }
        return Poll.blocked(CompletableFuture.anyOf(any.toArray(CompletableFuture[]::new)));
    }

    private Poll<RecordBatch> merge() {
        work(isWanted());
        if (parts.isBusy()) {
            return Poll.blocked(parts.progress());
        }
        List<SortedPart> all = parts.sorted();
        if (all.isEmpty()) {
            return end();
        }
        if (merges.isReady(all)) {
            merger = new Merger(all, shape, left, keyWidth);
            state = State.GIVING;
            return Poll.again();
        }
        if (parts.hasChunks()) {
            work(true);
            return Poll.blocked(parts.progress());
        }
        return merges.next(all);
    }

    private Poll<RecordBatch> give() {
        if (isWanted() && parts.hasChunks()) {
            pause();
            return Poll.again();
        }
        Merger from = merger;
        if (from == null) {
            throw new IllegalStateException("nothing is merged");
        }
        try (Picks picks = from.next(batchRows, outputBytes())) {
            if (picks == null) {
                return end();
            }
            RecordBatch batch = picks.gather(shape.schema(), shape.allocator());
            left -= picks.count();
            return Poll.output(batch);
        }
    }

    /** Gives back what merging takes; the parts go on where it ended. */
    private void pause() {
        Merger now = merger;
        merger = null;
        if (now != null) {
            now.close();
        }
        merges.release();
        state = State.MERGING;
    }

    @Override
    public void release() {
        switch (state) {
            case READING -> {
                input.release();
                if (isWanted()) {
                    seal();
                    work(true);
                }
            }
            case MERGING -> {}
            case GIVING -> {
                if (merges.isHeld() || isWanted()) {
                    pause();
                    work(isWanted());
                }
            }
            case ENDED -> {}
        }
    }

    private Poll<RecordBatch> end() {
        close();
        return Poll.finished();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            state = State.ENDED;
            input.close();
            free();
        }
    }

    private void free() {
        RecordBatch batch = pending;
        pending = null;
        if (batch != null) {
            batch.close();
        }
        Merger now = merger;
        merger = null;
        if (now != null) {
            now.close();
        }
        merges.release();
        best.close();
        open.close();
        CompletableFuture<?> ended = parts.ended();
        parts.close();
        CompletableFuture<MemoryReservation> asked = floor;
        var _ =
                ended.whenComplete(
                        (done, failure) -> {
                            holding.close();
                            RunMerges.giveBack(asked);
                        });
    }
}
