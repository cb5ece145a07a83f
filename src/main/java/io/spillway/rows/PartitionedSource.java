package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.execution.OrderedPartitions;
import io.spillway.execution.Partition;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.Operator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Parts that are read in parallel, with operators that work on each part by itself. While no
 * operator drops rows, the row index says where every row is, and a stream reads only the parts it
 * needs; else a stream counts from the first part on.
 */
final class PartitionedSource implements RowSource {

    private final List<SourcePart> parts;
    private final List<Operator> operators;
    private final RowSchema schema;
    private final RowIndex index;
    private final boolean exact;

    PartitionedSource(List<SourcePart> parts, RowSchema schema) {
        this(List.copyOf(parts), List.of(), schema, RowIndex.of(parts, SourcePart::rows));
    }

    private PartitionedSource(
            List<SourcePart> parts, List<Operator> operators, RowSchema schema, RowIndex index) {
        this.parts = parts;
        this.operators = operators;
        this.schema = schema;
        this.index = index;
        this.exact = operators.stream().allMatch(Operator::keepsRowCount);
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public OptionalLong rowCount() {
        return exact || index.total() == 0
                ? OptionalLong.of(exact ? index.total() : 0)
                : OptionalLong.empty();
    }

    @Override
    public int partitions() {
        return parts.size();
    }

    @Override
    public BatchStream open(long from, long to, ReadContext context) {
        if (!exact) {
            return new CutStream(
                    read(parts.iterator(), context), from, to, context.end(), context.ending());
        }
        return read(parts(from, Math.min(to, index.total())), context);
    }

    private BatchStream read(Iterator<SourcePart> selected, ReadContext context) {
        Iterator<Partition> partitions =
                new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return selected.hasNext();
                    }

                    @Override
                    public Partition next() {
                        return new PartPartition(selected.next(), operators, context);
                    }
                };
        return new OrderedPartitions(schema, partitions, context.group(), context.parallelism());
    }

    /** The parts of rows {@code [from, to)}, the first and the last one cut. */
    private Iterator<SourcePart> parts(long from, long to) {
        if (from >= to) {
            return List.<SourcePart>of().iterator();
        }
        int first = index.partition(from);
        int last = index.partition(to - 1);
        return IntStream.rangeClosed(first, last)
                .mapToObj(
                        i -> {
                            SourcePart part = parts.get(i);
                            long begin = Math.max(from - index.start(i), 0);
                            long end = Math.min(to - index.start(i), part.rows());
                            return begin == 0 && end == part.rows() ? part : part.slice(begin, end);
                        })
                .filter(part -> part.rows() > 0)
                .iterator();
    }

    @Override
    public RowSource slice(long offset, long rows) {
        if (!exact) {
            return new LimitSource(this, offset, rows);
        }
        long from = Math.min(offset, index.total());
        long to = rows > index.total() - from ? index.total() : from + rows;
        List<SourcePart> selected = new ArrayList<>();
        parts(from, to).forEachRemaining(selected::add);
        return new PartitionedSource(
                List.copyOf(selected), operators, schema, RowIndex.of(selected, SourcePart::rows));
    }

    @Override
    public RowSource with(Operator operator) {
        List<Operator> all = new ArrayList<>(operators);
        all.add(operator);
        return new PartitionedSource(parts, List.copyOf(all), operator.schema(), index);
    }

    /** A part with its operators. */
    private record PartPartition(SourcePart part, List<Operator> operators, ReadContext context)
            implements Partition {

        @Override
        public CompletableFuture<MemoryReservation> admit() {
            return part.admit(context);
        }

        @Override
        public BatchStream open() {
            BatchStream stream = part.open(context);
            try {
                for (Operator operator : operators) {
                    stream = operator.over(stream, context.pool().allocator());
                }
                return stream;
            } catch (Throwable t) {
                stream.close();
                throw t;
            }
        }
    }
}
