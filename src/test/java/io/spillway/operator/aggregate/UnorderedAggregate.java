package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.WorkContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;

/**
 * An aggregation of the same parts that keeps no order: what the order of first appearance costs is
 * told by comparison with it. Groups come out partition by partition. Rows that go to disk have a
 * number as well, but it is always zero, of which the files' compression leaves nothing.
 */
public final class UnorderedAggregate {

    /** Rows of a batch at most. */
    private static final int MOST = 1 << 16;

    private UnorderedAggregate() {}

    /**
     * Runs an aggregation to its end.
     *
     * @param out gets the batches, which stay the aggregation's
     */
    public static void run(
            AggregateOperator aggregate,
            BatchStream input,
            WorkContext context,
            Consumer<RecordBatch> out) {
        Aggregation operation =
                new Aggregation(
                        aggregate.input(), aggregate.keys(), aggregate.calls(), aggregate.schema());
        Deque<Partition> partitions = new ArrayDeque<>();
        try (input;
                MemoryHolding holding = context.pool().hold("unordered keys");
                ArrowBuf zeros = context.pool().allocator().buffer(8L * MOST)) {
            zeros.setZero(0, zeros.capacity());
            FlooredMemory memory = new FlooredMemory(KeyedStream.FLOOR, holding);
            try (KeyedLevel level = new KeyedLevel(operation, 1, memory, context)) {
                while (input.poll() instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                    try (batch) {
                        level.add(new NumberedRows(batch, 0, zeros.memoryAddress()));
                    }
                }
                give(level, operation, out);
                partitions.addAll(level.finish());
            }
            while (!partitions.isEmpty()) {
                partitions.addAll(partition(partitions.remove(), operation, memory, context, out));
            }
        } finally {
            partitions.forEach(Partition::close);
        }
    }

    private static List<Partition> partition(
            Partition partition,
            Aggregation operation,
            FlooredMemory memory,
            WorkContext context,
            Consumer<RecordBatch> out) {
        try (PartitionReader reader =
                        new PartitionReader(partition, context.pool().allocator());
                KeyedLevel level =
                        new KeyedLevel(operation, reader.level() + 1, memory, context)) {
            while (!reader.isAtEnd()) {
                reader.addNext(level);
            }
            give(level, operation, out);
            return level.finish();
        }
    }

    private static void give(
            KeyedLevel level, Aggregation operation, Consumer<RecordBatch> out) {
        for (RecordBatch next = level.next(true); next != null; next = level.next(true)) {
            try (RecordBatch numbered = next;
                    RecordBatch rows = NumberedRows.strip(numbered, operation.schema())) {
                out.accept(rows);
            }
        }
    }
}
