package io.spillway.rows;

import io.spillway.batch.BatchGroup;
import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.execution.Partition;
import io.spillway.execution.UnorderedPartitions;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;

/** The rows of groups, group after group: {@link AnyOrder}. */
final class AnyOrderStream implements BatchStream {

    private final RowSchema schema;
    private final PollStream<BatchGroup> groups;
    private final AnyOrder order;

    /** What is left of the group in hand. */
    private final Queue<RecordBatch> parts = new ArrayDeque<>();

    private AnyOrderStream(RowSchema schema, PollStream<BatchGroup> groups, AnyOrder order) {
        this.schema = schema;
        this.groups = groups;
        this.order = order;
    }

    /**
     * All rows of a source. Where its parts cannot be read by themselves, they come in order, which
     * is one that they may have.
     */
    static BatchStream of(RowSource source, AnyOrder order, ReadContext context) {
        Iterator<Partition> partitions = source.partitions(context);
        PollStream<BatchGroup> groups =
                partitions == null
                        ? new AlignedStream(
                                source.open(0, Long.MAX_VALUE, context),
                                0,
                                order.size(),
                                Long.MAX_VALUE)
                        : new UnorderedPartitions(
                                partitions, order.size(), context.group(), context.parallelism());
        return new AnyOrderStream(source.schema(), groups, order);
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        RecordBatch part = parts.poll();
        if (part != null) {
            return Poll.output(part);
        }
        return switch (groups.poll()) {
            case Poll.Output<BatchGroup>(BatchGroup group) -> {
                if (order.dropLast() && group.rows() % order.size() != 0) {
                    // Less than one batch: what was whole has been given out before.
                    group.close();
                } else {
                    parts.addAll(group.parts());
                }
                yield Poll.again();
            }
            case Poll.Blocked<BatchGroup>(var until) -> Poll.blocked(until);
            case Poll.Finished<BatchGroup>() -> Poll.finished();
        };
    }

    @Override
    public void release() {
        groups.release();
    }

    @Override
    public void close() {
        parts.forEach(RecordBatch::close);
        parts.clear();
        groups.close();
    }
}
