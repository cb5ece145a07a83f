package io.spillway.execution;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The rows of many partitions as they are ready, each partition's own in their order. As many are
 * open as may be; whenever one has come to its end, the next one is opened.
 *
 * <pre>
 *   partition 1   | rows | rows | waits for its file |      | rows | end | partition 4 …
 *   partition 2   | rows | rows | rows (full)        | rows | rows | rows | end
 *   consumer        1      1      2                    2      2      2 …     1
 * </pre>
 *
 * <p>The consumer takes what one partition has until that ends, or has nothing because it waits for
 * its input; while it is merely at work, it is waited for. So rows of one partition mostly stay
 * together, and whoever takes them meets its dictionaries once.
 *
 * <p>Nothing starts before the first pull. What waits for the consumer is bounded as that of {@link
 * OrderedPartitions}.
 */
public final class UnorderedPartitions implements BatchStream {

    private final RowSchema schema;
    private final Iterator<? extends Partition> partitions;
    private final PartitionScheduler.TaskGroup group;
    private final int parallelism;

    /** Partitions that have not come to their ends; first of the one that is taken from. */
    private final Deque<Source> open = new ArrayDeque<>();

    private boolean closed;

    /** A partition that is worked on, and what it has ready. */
    private record Source(
            BatchExchange<RecordBatch> ready,
            ExchangeTask task,
            PartitionScheduler.TaskHandle handle) {}

    /**
     * @param partitions drawn one by one, as places get free
     * @param group whose turns the work takes
     * @param parallelism how many partitions may be open at a time
     */
    public UnorderedPartitions(
            RowSchema schema,
            Iterator<? extends Partition> partitions,
            PartitionScheduler.TaskGroup group,
            int parallelism) {
        this.schema = schema;
        this.partitions = partitions;
        this.group = group;
        this.parallelism = parallelism;
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        start();
        List<CompletableFuture<?>> waits = new ArrayList<>(open.size());
        while (waits.size() < open.size()) {
            Source source = open.element();
            switch (source.ready().poll()) {
                case Poll.Output<RecordBatch> output -> {
                    return output;
                }
                case Poll.Blocked<RecordBatch> blocked -> {
                    // In this order: it tells when it begins to wait.
                    if (!source.task().isWaiting()) {
                        return blocked;
                    }
                    waits.add(blocked.until());
                    open.add(open.remove());
                }
                case Poll.Finished<RecordBatch> _ -> {
                    open.remove();
                    start();
                    waits.clear();
                }
            }
        }
        return open.isEmpty()
                ? Poll.finished()
                : Poll.blocked(CompletableFuture.anyOf(waits.toArray(CompletableFuture[]::new)));
    }

    /** Starts partitions while fewer are open than may be. */
    private void start() {
        while (!closed && open.size() < parallelism && partitions.hasNext()) {
            BatchExchange<RecordBatch> ready =
                    new BatchExchange<>(1, OrderedPartitions.AHEAD_BYTES, RecordBatch::bytes);
            ExchangeTask task = new ExchangeTask(partitions.next(), onlySlot(ready), ready::nudge);
            open.add(new Source(ready, task, group.start(task)));
        }
    }

    private static BatchExchange<RecordBatch>.Slot onlySlot(BatchExchange<RecordBatch> exchange) {
        BatchExchange<RecordBatch>.Slot slot = Objects.requireNonNull(exchange.open());
        exchange.complete();
        return slot;
    }

    @Override
    public void close() {
        closed = true;
        for (Source source : open) {
            source.ready().close();
            source.handle().cancel();
        }
        open.clear();
    }
}
