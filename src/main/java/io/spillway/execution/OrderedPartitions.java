package io.spillway.execution;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of many partitions as one stream in partition order. Nothing starts before the first
 * pull. The next partition starts when the consumer has come to the end of one, so at most {@code
 * parallelism} partitions are open, however many there are. Batches without rows are dropped.
 *
 * <p>The first partition starts alone: somebody waits for its first rows, which all that is read
 * ahead would keep from the cores. The others follow once it is under way, with or without rows.
 * Where nobody waits for the first rows, they start {@linkplain #together together}.
 *
 * <pre>
 * partition 1   | open | rows | rows | ...
 * partition 2                 | open        | rows ...
 * </pre>
 */
public final class OrderedPartitions implements BatchStream {

    /** Bytes of batches by which a partition may be ahead of the consumer. */
    static final long AHEAD_BYTES = 256 << 10;

    private final RowSchema schema;
    private final Iterator<? extends Partition> partitions;
    private final PartitionScheduler.TaskGroup group;
    private final BatchExchange<RecordBatch> exchange;
    private final boolean firstAlone;
    private final List<PartitionScheduler.TaskHandle> tasks = new ArrayList<>();
    private @Nullable ExchangeTask first;

    /**
     * @param partitions in order; drawn one by one, as places get free
     * @param group whose turns the work takes
     * @param parallelism how many partitions may be open at a time
     */
    public OrderedPartitions(
            RowSchema schema,
            Iterator<? extends Partition> partitions,
            PartitionScheduler.TaskGroup group,
            int parallelism) {
        this(schema, partitions, group, parallelism, true);
    }

    private OrderedPartitions(
            RowSchema schema,
            Iterator<? extends Partition> partitions,
            PartitionScheduler.TaskGroup group,
            int parallelism,
            boolean firstAlone) {
        this.schema = schema;
        this.partitions = partitions;
        this.group = group;
        this.exchange = new BatchExchange<>(parallelism, AHEAD_BYTES, RecordBatch::bytes);
        this.firstAlone = firstAlone;
    }

    /** The same for a consumer to whom the first rows are no more than the others. */
    public static OrderedPartitions together(
            RowSchema schema,
            Iterator<? extends Partition> partitions,
            PartitionScheduler.TaskGroup group,
            int parallelism) {
        return new OrderedPartitions(schema, partitions, group, parallelism, false);
    }

    /** Bytes of batches that wait for the consumer at most, give or take a batch a partition. */
    public static long bytesAhead(int parallelism) {
        return AHEAD_BYTES * parallelism;
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        start();
        Poll<RecordBatch> answer = exchange.poll();
        if (answer instanceof Poll.Blocked) {
            // The poll may have come past the end of a slot.
            start();
        }
        return answer;
    }

    /** Starts partitions while there are free slots, or only the first until it is under way. */
    private void start() {
        while (partitions.hasNext()) {
            if (firstAlone && first != null && !first.isUnderWay()) {
                return;
            }
            BatchExchange<RecordBatch>.@Nullable Slot slot = exchange.open();
            if (slot == null) {
                return;
            }
            tasks.removeIf(task -> task.ended().isDone());
            ExchangeTask task =
                    new ExchangeTask(
                            partitions.next(),
                            slot,
                            first == null ? exchange::nudge : ExchangeTask.NOBODY);
            first = first == null ? task : first;
            tasks.add(group.start(task));
        }
        exchange.complete();
    }

    @Override
    public void close() {
        exchange.close();
        tasks.forEach(PartitionScheduler.TaskHandle::cancel);
    }
}
