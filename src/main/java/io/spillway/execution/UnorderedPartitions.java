package io.spillway.execution;

import io.spillway.batch.BatchGroup;
import io.spillway.batch.BatchGrouper;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
 * <p>Nothing starts before the first pull. What waits for the consumer is bounded as that of {@link
 * OrderedPartitions}, give or take a group a worker; beside it each worker has less than a group.
 */
public final class UnorderedPartitions implements PollStream<BatchGroup> {

    private final Iterator<? extends Partition> partitions;
    private final int rows;
    private final PartitionScheduler.TaskGroup group;
    private final int parallelism;
    private final BatchExchange<BatchGroup> exchange;
    private final List<PartitionScheduler.TaskHandle> tasks = new ArrayList<>();
    private boolean started;

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
        this.exchange =
                new BatchExchange<>(
                        1, OrderedPartitions.bytesAhead(parallelism), BatchGroup::bytes);
    }

    private BatchGrouper grouper() {
        return new BatchGrouper(rows, 0, Long.MAX_VALUE);
    }

    @Override
    public Poll<BatchGroup> poll() {
        if (!started) {
            started = true;
            BatchExchange<BatchGroup>.Slot slot = exchange.open();
            if (slot != null) {
                exchange.complete();
                for (int i = 0; i < parallelism; i++) {
                    tasks.add(group.start(new Worker(slot)));
                }
            }
        }
        return exchange.poll();
    }

    private synchronized @Nullable Partition draw() {
        return partitions.hasNext() ? partitions.next() : null;
    }

    /** A worker has no more partitions: takes over its remainder, and ends with the last one. */
    private void collect(BatchGrouper remainder, BatchExchange<BatchGroup>.Slot slot) {
        List<BatchGroup> ready = new ArrayList<>();
        boolean last;
        synchronized (this) {
            BatchGroup rest = remainder.rest();
            if (rest != null) {
                collector.add(rest);
            }
            move(collector.next(), ready);
            working--;
            last = working == 0;
            if (last) {
                move(collector.rest(), ready);
            }
        }
        ready.forEach(slot::put);
        if (last) {
            slot.finish();
        }
    }

    private static void move(@Nullable BatchGroup ready, List<BatchGroup> into) {
        if (ready != null) {
            into.add(ready);
        }
    }

    private synchronized void dropCollected() {
        collector.close();
    }

    @Override
    public void close() {
        exchange.close();
        CompletableFuture<?>[] ended = new CompletableFuture<?>[tasks.size()];
        for (int i = 0; i < ended.length; i++) {
            tasks.get(i).cancel();
            ended[i] = tasks.get(i).ended();
        }
        // Not before: one of them may be about to leave its remainder there.
        var _ = CompletableFuture.allOf(ended).whenComplete((done, failure) -> dropCollected());
    }

    /** Works through partitions until there are no more. All workers put into the same slot. */
    private final class Worker implements PartitionTask {

        private final BatchExchange<BatchGroup>.Slot slot;
        private final BatchGrouper grouper = grouper();
        private @Nullable OpenPartition partition;
        private boolean full;
        private boolean ended;

        Worker(BatchExchange<BatchGroup>.Slot slot) {
            this.slot = slot;
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
                    collect(grouper, slot);
                    return Turn.DONE;
                }
                open = new OpenPartition(next);
                partition = open;
            }
            return switch (open.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    grouper.add(batch);
                    BatchGroup ready = grouper.next();
                    if (ready != null) {
                        slot.put(ready);
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
