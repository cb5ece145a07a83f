package io.spillway.execution;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Works on the items of a stream in parallel and gives the results in the items' order. A lane that
 * is free pulls the next item and opens the next slot of the exchange in one step, so the slots
 * stand in the items' order; what it makes of the item goes there.
 *
 * <p>So a partition that one task decodes is encoded by all threads, and the memory for that is a
 * few items, not a partition.
 *
 * <p>Takes over the input. Nothing starts before the first pull.
 */
public final class ParallelStage<I extends AutoCloseable, O extends AutoCloseable>
        implements PollStream<O> {

    /** Items that may be worked on or wait, for each lane, unless told otherwise. */
    private static final int USUAL_ITEMS = 2;

    private final PollStream<I> input;
    private final Supplier<? extends Lane<I, O>> lanes;
    private final PartitionScheduler.TaskGroup group;
    private final int parallelism;
    private final BatchExchange<O> exchange;
    private final List<PartitionScheduler.TaskHandle> tasks = new ArrayList<>();
    private boolean started;
    private boolean closed;

    /** Guards the input: who pulls also opens the slot. */
    private final Object turnstile = new Object();

    private boolean exhausted;

    /** A stage in which two items may be worked on or wait for each lane. */
    public ParallelStage(
            PollStream<I> input,
            Supplier<? extends Lane<I, O>> lanes,
            ToLongFunction<O> size,
            long aheadBytes,
            PartitionScheduler.TaskGroup group,
            int parallelism) {
        this(input, lanes, size, aheadBytes, USUAL_ITEMS, group, parallelism);
    }

    /**
     * @param lanes makes one worker; called once a lane
     * @param size bytes that a result holds
     * @param aheadBytes bytes of results of one item that wait for the consumer when a lane stops
     *     working on the item; it may go over by one result
     * @param itemsPerLane how many items may be worked on or wait, for each lane
     * @param parallelism number of lanes
     */
    public ParallelStage(
            PollStream<I> input,
            Supplier<? extends Lane<I, O>> lanes,
            ToLongFunction<O> size,
            long aheadBytes,
            int itemsPerLane,
            PartitionScheduler.TaskGroup group,
            int parallelism) {
        this.input = input;
        this.lanes = lanes;
        this.group = group;
        this.parallelism = parallelism;
        this.exchange = new BatchExchange<>(itemsPerLane * parallelism, aheadBytes, size);
    }

    /** Items whose results wait for the consumer at most. */
    public static long itemsAhead(int parallelism) {
        return itemsAhead(parallelism, USUAL_ITEMS);
    }

    /** The same where so many may be worked on or wait for each lane. */
    public static long itemsAhead(int parallelism, int itemsPerLane) {
        return (long) itemsPerLane * parallelism;
    }

    @Override
    public Poll<O> poll() {
        if (!started && !closed) {
            started = true;
            for (int i = 0; i < parallelism; i++) {
                tasks.add(group.start(new LaneTask(lanes.get())));
            }
        }
        return exchange.poll();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        exchange.close();
        CompletableFuture<?>[] ended = new CompletableFuture<?>[tasks.size()];
        for (int i = 0; i < ended.length; i++) {
            tasks.get(i).cancel();
            ended[i] = tasks.get(i).ended();
        }
        // Not before the lanes have ended: one of them may be pulling right now.
        var _ = CompletableFuture.allOf(ended).whenComplete((done, failure) -> input.close());
    }

    /** Pulls the next item into its slot. */
    private PartitionTask.Turn pull(LaneTask task) {
        synchronized (turnstile) {
            if (exhausted) {
                return PartitionTask.Turn.DONE;
            }
            CompletableFuture<?> room = exchange.awaitRoom();
            if (!room.isDone()) {
                return new PartitionTask.Turn.Blocked(room);
            }
            try {
                return switch (input.poll()) {
                    case Poll.Output<I>(I item) -> {
                        task.begin(item, exchange.open());
                        yield PartitionTask.Turn.AGAIN;
                    }
                    case Poll.Blocked<I>(CompletableFuture<?> until) ->
                            new PartitionTask.Turn.Blocked(until);
                    case Poll.Finished<I>() -> {
                        exhausted = true;
                        exchange.complete();
                        yield PartitionTask.Turn.DONE;
                    }
                };
            } catch (Throwable t) {
                exhausted = true;
                // Its slot comes first, if the item has one already.
                task.failed(t);
                exchange.fail(t);
                return PartitionTask.Turn.DONE;
            }
        }
    }

    /** A lane as a task: pull an item, put its results, and again. */
    private final class LaneTask implements PartitionTask {

        private final Lane<I, O> lane;
        private BatchExchange<O>.@Nullable Slot slot;

        LaneTask(Lane<I, O> lane) {
            this.lane = lane;
        }

        /**
         * @param open the item's slot; null if the exchange has been closed
         */
        void begin(I item, BatchExchange<O>.@Nullable Slot open) {
            if (open == null) {
                Closing.close(item);
            } else {
                slot = open;
                lane.begin(item);
                finishItem(open);
            }
        }

        /** Goes on to other items at once, however long the results of this one may wait. */
        private void finishItem(BatchExchange<O>.Slot open) {
            if (!lane.hasNext()) {
                open.finish();
                slot = null;
            }
        }

        @Override
        public Turn run() {
            BatchExchange<O>.@Nullable Slot open = slot;
            if (open == null) {
                return pull(this);
            }
            CompletableFuture<?> space = open.awaitSpace();
            if (space != null) {
                return new Turn.Blocked(space);
            }
            open.put(lane.next());
            finishItem(open);
            return Turn.AGAIN;
        }

        @Override
        public void idle() {
            lane.idle();
        }

        @Override
        public void failed(Throwable cause) {
            if (slot != null) {
                slot.fail(cause);
                slot = null;
            }
        }

        @Override
        public void close() {
            lane.close();
            if (slot != null) {
                slot.fail(BatchExchange.abandoned());
            }
            synchronized (turnstile) {
                if (!exhausted) {
                    exhausted = true;
                    exchange.fail(BatchExchange.abandoned());
                }
            }
        }
    }
}
