package io.spillway.operator.join;

import io.spillway.batch.RecordBatch;
import io.spillway.execution.Failures;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.util.HashSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Memory for a table of some of a partition's right rows: of the join's holding, or, if that cannot
 * grow even for a few rows, a part of its own that work is admitted to.
 */
final class BlockMemory implements AutoCloseable {

    /** What tables take at least. */
    static final long NEEDED = 256 << 10;

    /** What tables take for a row, beside its key and the row itself. */
    private static final long ROW_BYTES = 64;

    /** Bytes for looking up a row in the end. */
    private static final long INDEX_BYTES = 12;

    /** Into how many parts of the pool's memory what is asked for first goes. */
    private static final int MODEST = 8;

    private final MemoryPool pool;
    private final MemoryHolding joins;
    private MemoryHolding holding;
    private long index;
    private long asked;
    private @Nullable CompletableFuture<MemoryReservation> grant;

    /** Counts what has been granted; no memory is allocated from it. */
    private @Nullable MemoryPool own;

    BlockMemory(MemoryPool pool, MemoryHolding joins) {
        this.pool = pool;
        this.joins = joins;
        this.holding = joins;
    }

    /** For the next table. */
    MemoryHolding holding() {
        return holding;
    }

    /** Whether it has a part of its own. */
    boolean isGranted() {
        return own != null;
    }

    /** What has to be done before there is more memory; null if nothing is waited for. */
    @Nullable CompletableFuture<?> awaited() {
        CompletableFuture<MemoryReservation> now = grant;
        if (now == null || !now.isDone()) {
            return now;
        }
        try {
            now.join();
        } catch (RuntimeException e) {
            throw Failures.asSpillway(e);
        }
        return null;
    }

    /** Keeps room for looking rows up, should so many more be added to a table. */
    boolean reserveIndex(RightTable table, int more) {
        long chunks = 4L * RowNumbers.CHUNK_BYTES;
        long needed = chunks + INDEX_BYTES * (table.rowCount() + (long) more);
        if (needed > index) {
            if (!holding.tryGrow(needed - index)) {
                return false;
            }
            index = needed;
        }
        return true;
    }

    /** The table is about to take that room. */
    void freeIndex() {
        holding.shrink(index);
        index = 0;
    }

    /** Bytes of a table of a batch's rows alone. */
    static long needed(RecordBatch batch) {
        return NEEDED + ROW_BYTES * batch.rowCount() + 4 * Footprint.of(batch, new HashSet<>());
    }

    /**
     * Asks for a part of its own, larger than the last one; there is no table now.
     *
     * @param needed bytes that would be enough; less is asked for first if that is much
     */
    void ask(long needed) {
        freeIndex();
        giveBack();
        long modest = Math.max(NEEDED, pool.limit() / MODEST);
        asked = asked == 0 ? Math.min(needed, modest) : Math.max(needed, 2 * asked);
        grant = pool.admit(asked);
        MemoryPool counter = MemoryPool.root(2 * asked);
        own = counter;
        holding = counter.hold("join block");
    }

    private void giveBack() {
        MemoryPool counter = own;
        own = null;
        if (counter != null) {
            holding.close();
            counter.close();
        }
        CompletableFuture<MemoryReservation> granted = grant;
        grant = null;
        if (granted != null && !granted.cancel(false)) {
            var _ = granted.thenAccept(MemoryReservation::close);
        }
        holding = joins;
    }

    @Override
    public void close() {
        freeIndex();
        giveBack();
    }
}
