package io.spillway.rows;

import io.spillway.execution.Failures;
import io.spillway.execution.ParallelStage;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the rows that lanes make into blocks: for those of one lane in any case, which is
 * asked for before there are any rows; for those of more lanes while there is room. The latter is
 * given back when it is asked for, as soon as the rows have been written that are under way.
 *
 * <p>One thread at a time.
 */
final class BuildMemory implements AutoCloseable {

    /** What is ahead of the writes is such a part of what the job may hold, at most. */
    private static final int PART_OF_POOL = 16;

    private static final int MOST_LANES = 4;

    /** Rows that have been handed to the lanes together, and what they take with their block. */
    private record Item(long rows, long bytes) {}

    private final MemoryPool pool;
    private final long base;
    private final long laneBytes;
    private final int lanes;
    private final MemoryHolding more;
    private final Deque<Item> ahead = new ArrayDeque<>();
    private @Nullable CompletableFuture<MemoryReservation> admission;
    private long aheadBytes;

    /** Rows of the first item whose blocks have been taken. */
    private long takenRows;

    /** What the next item takes, if it is as the last one. */
    private long itemBytes;

    private boolean closed;

    /**
     * Asks for nothing yet.
     *
     * @param itemBytes what an item takes, if rows are of usual size
     * @param writeBytes bytes of blocks that are being written
     * @param parallelism lanes that would be of use
     */
    BuildMemory(MemoryPool pool, long itemBytes, long writeBytes, int parallelism) {
        this.pool = pool;
        this.itemBytes = itemBytes;
        // A lane has items ahead of it and one in hand.
        this.laneBytes = (ParallelStage.itemsAhead(1) + 1) * itemBytes;
        long room = pool.limit() / PART_OF_POOL;
        this.base = Math.min(laneBytes + writeBytes, room);
        this.lanes =
                Math.clamp((room - base) / laneBytes + 1, 1, Math.min(parallelism, MOST_LANES));
        this.more = pool.hold("spool blocks");
    }

    /** How many lanes there may be at most. */
    int lanes() {
        return lanes;
    }

    /**
     * What has to be done before rows are pulled; null if nothing is waited for.
     *
     * @throws io.spillway.error.SpillwayException {@code MEMORY_LIMIT} if it can never be had
     */
    @Nullable CompletableFuture<?> awaited() {
        CompletableFuture<MemoryReservation> asked = admission;
        if (asked == null) {
            // It is kept while the rows' makers are waited for.
            asked = pool.admitStanding(base);
            admission = asked;
        }
        if (asked.isCompletedExceptionally()) {
            throw Failures.asSpillway(asked.exceptionNow());
        }
        return asked.isDone() ? null : asked;
    }

    /** Whether one more item may be handed over; takes memory for it. */
    boolean hasRoom() {
        boolean asked = giveWayIfAsked();
        while (!ahead.isEmpty()
                && aheadBytes + itemBytes > laneBytes + (asked ? 0 : more.bytes())) {
            if (asked || more.bytes() >= (lanes - 1) * laneBytes || !more.tryGrow(laneBytes)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the memory is asked for that one lane can do without. */
    private boolean giveWayIfAsked() {
        boolean asked = more.revoked().isDone();
        if (asked && aheadBytes <= laneBytes) {
            more.shrink(more.bytes());
            return false;
        }
        return asked;
    }

    /**
     * Done when memory is asked for that can be given back now, or as soon as blocks have been
     * taken; then it is null, since that is waited for.
     */
    @Nullable CompletableFuture<?> revoked() {
        CompletableFuture<?> revoked = more.revoked();
        return revoked.isDone() ? null : revoked;
    }

    /** An item has been handed over. */
    void put(long rows, long bytes) {
        ahead.add(new Item(rows, bytes));
        aheadBytes += bytes;
        itemBytes = bytes;
    }

    /** A block of so many rows of the first items is about to be written. */
    void taken(long rows) {
        takenRows += rows;
        while (!ahead.isEmpty() && takenRows >= ahead.element().rows()) {
            Item done = ahead.remove();
            takenRows -= done.rows();
            aheadBytes -= done.bytes();
        }
        giveWayIfAsked();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        more.close();
        CompletableFuture<MemoryReservation> asked = admission;
        if (asked != null && !asked.cancel(false)) {
            var _ = asked.thenAccept(MemoryReservation::close);
        }
    }
}
