package io.spillway.rows;

import io.spillway.execution.ParallelStage;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the rows that lanes make into blocks: for as many as keep all lanes at work while
 * there is room, for those of one batch in any case. It is given back when it is asked for, as soon
 * as the rows have been written that are under way: whoever makes the rows may need it, and nothing
 * is kept while they are waited for.
 *
 * <p>One thread at a time.
 */
final class BuildMemory implements AutoCloseable {

    /** What is ahead of the writes is such a part of what the job may hold, at most. */
    private static final int PART_OF_POOL = 16;

    private static final int MOST_LANES = 4;

    /** Rows that have been handed to the lanes together, and what they take with their block. */
    private record Item(long rows, long bytes) {}

    private final int lanes;
    private final long most;
    private final MemoryHolding holding;
    private final Deque<Item> ahead = new ArrayDeque<>();
    private long aheadBytes;

    /** Rows of the first item whose blocks have been taken. */
    private long takenRows;

    /** What the next item takes, if it is as the last one. */
    private long itemBytes;

    /**
     * Holds nothing yet.
     *
     * @param itemBytes what an item takes, if rows are of usual size
     * @param parallelism lanes that would be of use
     */
    BuildMemory(MemoryPool pool, long itemBytes, int parallelism) {
        this.itemBytes = itemBytes;
        // A lane has items ahead of it and one in hand.
        long lane = (ParallelStage.itemsAhead(1) + 1) * itemBytes;
        long room = pool.limit() / PART_OF_POOL;
        this.lanes = Math.clamp(room / lane, 1, Math.min(parallelism, MOST_LANES));
        this.most = Math.min(lanes * lane, room);
        this.holding = pool.hold("spool blocks");
    }

    /** How many lanes there may be at most. */
    int lanes() {
        return lanes;
    }

    /** Whether one more item may be handed over; takes memory for it, if there is any. */
    boolean hasRoom() {
        boolean asked = giveWayIfAsked();
        long more = aheadBytes + itemBytes - holding.bytes();
        return more <= 0
                || (!asked && aheadBytes + itemBytes <= most && holding.tryGrow(more))
                || ahead.isEmpty();
    }

    /** Whether memory is asked for that cannot be given back yet. */
    private boolean giveWayIfAsked() {
        if (!holding.revoked().isDone()) {
            return false;
        }
        if (ahead.size() > 1) {
            return true;
        }
        holding.shrink(holding.bytes());
        return false;
    }

    /**
     * Done when memory is asked for. Null if it is already, and blocks have to be taken before it
     * can be given back: that is waited for.
     */
    @Nullable CompletableFuture<?> revoked() {
        CompletableFuture<?> revoked = holding.revoked();
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
        holding.close();
    }
}
