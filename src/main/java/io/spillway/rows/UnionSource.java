package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Operator;
import io.spillway.operator.ProjectOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToIntFunction;

/** The rows of sources, one source after the other. */
record UnionSource(List<RowSource> inputs, RowSchema schema) implements RowSource {

    UnionSource {
        inputs = List.copyOf(inputs);
    }

    /**
     * The rows of all sources in turn. Sources of partitions become one of all their partitions, so
     * that these are read in parallel.
     *
     * @param sources of the schema's columns, but perhaps under other names, and perhaps never null
     *     where the schema allows it
     */
    static RowSource of(List<RowSource> sources, RowSchema schema) {
        List<RowSource> inputs = new ArrayList<>();
        List<PartitionedSource> run = new ArrayList<>();
        for (RowSource source : flat(sources)) {
            if (source instanceof PartitionedSource parts) {
                run.add(parts.under(schema));
            } else {
                join(run, inputs, schema);
                inputs.add(
                        source.schema().equals(schema)
                                ? source
                                : source.with(
                                        ProjectOperator.renamed(
                                                ColumnSet.first(schema.size()),
                                                source.schema(),
                                                schema)));
            }
        }
        join(run, inputs, schema);
        return inputs.size() == 1 ? inputs.getFirst() : new UnionSource(inputs, schema);
    }

    private static List<RowSource> flat(List<RowSource> sources) {
        List<RowSource> flat = new ArrayList<>();
        for (RowSource source : sources) {
            if (source instanceof UnionSource union) {
                flat.addAll(union.inputs);
            } else {
                flat.add(source);
            }
        }
        return flat;
    }

    private static void join(List<PartitionedSource> run, List<RowSource> into, RowSchema schema) {
        if (!run.isEmpty()) {
            into.add(PartitionedSource.concat(run, schema));
            run.clear();
        }
    }

    @Override
    public OptionalLong rowCount() {
        long sum = 0;
        for (RowSource input : inputs) {
            OptionalLong rows = input.rowCount();
            if (rows.isEmpty()) {
                return rows;
            }
            sum = Math.addExact(sum, rows.getAsLong());
        }
        return OptionalLong.of(sum);
    }

    @Override
    public long rowsAtLeast() {
        long sum = 0;
        for (RowSource input : inputs) {
            sum = RowView.plus(sum, input.rowsAtLeast());
        }
        return sum;
    }

    @Override
    public long rowsPlaced() {
        long sum = 0;
        for (RowSource input : inputs) {
            long placed = input.rowsPlaced();
            sum = RowView.plus(sum, placed);
            OptionalLong rows = input.rowCount();
            if (rows.isEmpty() || placed < rows.getAsLong()) {
                break;
            }
        }
        return sum;
    }

    @Override
    public int partitions() {
        return sum(RowSource::partitions);
    }

    @Override
    public int partitionsCounted() {
        return sum(RowSource::partitionsCounted);
    }

    private int sum(ToIntFunction<RowSource> number) {
        return (int)
                Math.min(inputs.stream().mapToLong(number::applyAsInt).sum(), Integer.MAX_VALUE);
    }

    @Override
    public BatchStream open(long from, long to, ReadContext context) {
        return new UnionStream(this, from, to, context);
    }

    @Override
    public PollStream<CountProgress> count(long upTo, ReadContext context) {
        return new UnionCount(this, upTo, context);
    }

    @Override
    public RowSource slice(long offset, long rows) {
        return new LimitSource(this, offset, rows);
    }

    @Override
    public RowSource with(Operator operator) {
        if (operator.needsRowNumbers()) {
            return SerialSource.of(this, operator);
        }
        return new UnionSource(
                inputs.stream().map(input -> input.with(operator)).toList(), operator.schema());
    }

    @Override
    public RowSource narrowed(ColumnSet columns) {
        return new UnionSource(
                inputs.stream().map(input -> input.narrowed(columns)).toList(), columns.of(schema));
    }
}
