package io.spillway.execution;

import io.spillway.batch.BatchGroup;
import io.spillway.batch.BatchGrouper;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The rows of many partitions in groups of exactly so many, as they are ready. Each worker takes
 * one partition after the other and carries along what makes no whole group; at the end these
 * remainders, fewer rows than a group each, meet in one collector. So at most the very last group
 * is short.
 *
 * <pre>
 *   worker 1   partition 1 ─▶ partition 4 ─▶ …   whole groups ──────────┐
 *   worker 2   partition 2 ─▶ partition 3 ─▶ …   whole groups ──────────┼─▶ consumer
 *              remainders ──▶ collector ──▶ whole groups, then the rest ┘
 * </pre>
 *
 * <p>The consumer takes what one worker has ready for as long as that has something, since groups
 * of one partition are worth more together: they share dictionaries.
 *
 * <p>Nothing starts before the first pull. What waits for the consumer is bounded as that of {@link
 * OrderedPartitions}, give or take a group a worker; beside it each worker has less than a group.
 */
public final class UnorderedPartitions implements PollStream<BatchGroup> {

    private final Iterator<? extends Partition> partitions;
    private final int rows;
    private final PartitionScheduler.TaskGroup group;
    private final int parallelism;

    /** What each worker that has not ended has ready; first of the one that is taken from. */
    private final Deque<BatchExchange<BatchGroup>> ready = new ArrayDeque<>();

    /** What comes behind all that workers have ready. */
    private final BatchExchange<BatchGroup> last;

    private final List<PartitionScheduler.TaskHandle> tasks = new ArrayList<>();
    private boolean started;
    private boolean closed;

    // Guarded by this: what all workers share.
    private final BatchGrouper collector;
    private int working;

    /**
     * @param partitions drawn one by one
     * @param rows rows of a group; several groups that are ready at once are given out as one
     * @param group whose turns the work takes
     * @param parallelism number of workers
     */
    public UnorderedPartitions(
            Iterator<? extends Partition> partitions,
            int rows,
            PartitionScheduler.TaskGroup group,
            int parallelism) {
        this.partitions = partitions;
        this.rows = rows;
        this.group = group;
        this.parallelism = parallelism;
        this.working = parallelism;
        this.collector = grouper();
        this.last = exchange();
    }

    private BatchExchange<BatchGroup> exchange() {
        return new BatchExchange<>(
                1, OrderedPartitions.bytesAhead(parallelism) / parallelism, BatchGroup::bytes);
    }

    private BatchGrouper grouper() {
        return new BatchGrouper(rows, 0, Long.MAX_VALUE);
    }

    @Override
    public Poll<BatchGroup> poll() {
        if (!started && !closed) {
            started = true;
            BatchExchange<BatchGroup>.Slot rest = opened(last);
            for (int i = 0; i < parallelism; i++) {
                BatchExchange<BatchGroup> exchange = exchange();
                ready.add(exchange);
                tasks.add(group.start(new Worker(opened(exchange), rest)));
            }
        }
        List<CompletableFuture<?>> waits = new ArrayList<>(parallelism);
        for (int left = ready.size(); left > 0; left--) {
            switch (ready.element().poll()) {
                case Poll.Output<BatchGroup> output -> {
                    return output;
                }
                case Poll.Blocked<BatchGroup>(CompletableFuture<?> until) -> {
                    waits.add(until);
                    ready.add(ready.remove());
                }
                case Poll.Finished<BatchGroup> _ -> ready.remove();
            }
        }
        return waits.isEmpty()
                ? last.poll()
                : Poll.blocked(CompletableFuture.anyOf(waits.toArray(CompletableFuture[]::new)));
    }

    /** The one slot of an exchange that is not closed. */
    private static BatchExchange<BatchGroup>.Slot opened(BatchExchange<BatchGroup> exchange) {
        BatchExchange<BatchGroup>.Slot slot = Objects.requireNonNull(exchange.open());
        exchange.complete();
        return slot;
    }

    private synchronized @Nullable Partition draw() {
        return partitions.hasNext() ? partitions.next() : null;
    }

    /** A worker has no more partitions: takes over its remainder, and ends with the last one. */
    private void collect(BatchGrouper remainder, BatchExchange<BatchGroup>.Slot rests) {
        List<BatchGroup> whole = new ArrayList<>();
        boolean isLast;
        synchronized (this) {
            BatchGroup rest = remainder.rest();
            if (rest != null) {
                collector.add(rest);
            }
            move(collector.next(), whole);
            working--;
            isLast = working == 0;
            if (isLast) {
                move(collector.rest(), whole);
            }
        }
        whole.forEach(rests::put);
        if (isLast) {
            rests.finish();
        }
    }

    private static void move(@Nullable BatchGroup group, List<BatchGroup> into) {
        if (group != null) {
            into.add(group);
        }
    }

    private synchronized void dropCollected() {
        collector.close();
    }

    @Override
    public void close() {
        closed = true;
        ready.forEach(BatchExchange::close);
        last.close();
        CompletableFuture<?>[] ended = new CompletableFuture<?>[tasks.size()];
        for (int i = 0; i < ended.length; i++) {
            tasks.get(i).cancel();
            ended[i] = tasks.get(i).ended();
        }
        // Not before: one of them may be about to leave its remainder there.
        var _ = CompletableFuture.allOf(ended).whenComplete((done, failure) -> dropCollected());
    }

    /** Works through partitions until there are no more. */
    private final class Worker implements PartitionTask {

        private final BatchExchange<BatchGroup>.Slot slot;
        private final BatchExchange<BatchGroup>.Slot rests;
        private final BatchGrouper grouper = grouper();
        private @Nullable OpenPartition partition;
        private boolean full;
        private boolean ended;

        /**
         * @param slot for whole groups; its own
         * @param rests for those that are made of what workers have left
         */
        Worker(BatchExchange<BatchGroup>.Slot slot, BatchExchange<BatchGroup>.Slot rests) {
            this.slot = slot;
            this.rests = rests;
        }

        @Override
        public Turn run() {
            CompletableFuture<?> space = slot.awaitSpace();
            full = space != null;
            if (space != null) {
                return new Turn.Blocked(space);
            }
            OpenPartition open = partition;
            if (open == null) {
                Partition next = draw();
                if (next == null) {
                    ended = true;
                    collect(grouper, rests);
                    slot.finish();
                    return Turn.DONE;
                }
                open = new OpenPartition(next);
                partition = open;
            }
            return switch (open.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    grouper.add(batch);
                    BatchGroup whole = grouper.next();
                    if (whole != null) {
                        slot.put(whole);
                    }
                    yield Turn.AGAIN;
                }
                case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) ->
                        new Turn.Blocked(until);
                case Poll.Finished<RecordBatch>() -> {
                    open.close();
                    partition = null;
                    yield Turn.AGAIN;
                }
            };
        }

        @Override
        public void idle() {
            if (full && partition != null) {
                partition.release();
            }
        }

        @Override
        public void failed(Throwable cause) {
            ended = true;
            slot.fail(cause);
        }

        @Override
        public void close() {
            if (partition != null) {
                partition.close();
            }
            grouper.close();
            if (!ended) {
                slot.fail(BatchExchange.abandoned());
            }
        }
    }
}
