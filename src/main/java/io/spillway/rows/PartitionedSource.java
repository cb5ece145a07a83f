package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.execution.OrderedPartitions;
import io.spillway.execution.Partition;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Operator;
import io.spillway.operator.ProjectOperator;
import io.spillway.rows.ChainPartition.Lesson;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Chains that are read in parallel, each by itself: parts with the operators over them. Where no
 * operator drops or adds rows, it is known where every row is; else that is learnt. A stream reads
 * only the chains it needs, and of the first and the last one only what it needs, as far as that is
 * known; beyond, it counts.
 */
final class PartitionedSource implements RowSource {

    private final List<Chain> chains;
    private final RowSchema schema;
    private final RowPlaces places;
    private final boolean exact;

    private PartitionedSource(List<Chain> chains, RowSchema schema, RowPlaces places) {
        this.chains = List.copyOf(chains);
        this.schema = schema;
        this.places = places;
        this.exact = places.parts().stream().allMatch(AllPlaces.class::isInstance);
    }

    static PartitionedSource of(List<? extends SourcePart> parts, RowSchema schema) {
        return of(schema, parts.stream().map(part -> new Chain(part, List.of())).toList());
    }

    private static PartitionedSource of(RowSchema schema, List<Chain> chains) {
        long rows = chains.stream().mapToLong(chain -> chain.part().rows()).sum();
        long stride = Math.max(Checkpoints.STRIDE, rows / Checkpoints.MAX);
        List<PartPlaces> places = new ArrayList<>(chains.size());
        for (Chain chain : chains) {
            places.add(
                    chain.keepsRowCount()
                            ? new AllPlaces(chain.part().rows())
                            : new Checkpoints(stride, chain.part().rows()));
        }
        return new PartitionedSource(chains, schema, new RowPlaces(places));
    }

    /** The chains of all sources, one source after the other. */
    static PartitionedSource concat(List<PartitionedSource> sources, RowSchema schema) {
        List<Chain> chains = new ArrayList<>();
        List<PartPlaces> places = new ArrayList<>();
        for (PartitionedSource source : sources) {
            chains.addAll(source.chains);
            places.addAll(source.places.parts());
        }
        return new PartitionedSource(chains, schema, new RowPlaces(places));
    }

    /** Whether it is known from the first where every row is. */
    boolean isExact() {
        return exact;
    }

    List<Chain> chains() {
        return chains;
    }

    RowPlaces places() {
        return places;
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public OptionalLong rowCount() {
        long total = places.total();
        return total < 0 ? OptionalLong.empty() : OptionalLong.of(total);
    }

    @Override
    public long rowsAtLeast() {
        return places.atLeast();
    }

    @Override
    public long rowsPlaced() {
        return places.placed();
    }

    @Override
    public long partitionEnd(long row) {
        return places.partEnd(row);
    }

    @Override
    public int partitions() {
        return chains.size();
    }

    @Override
    public int partitionsCounted() {
        return places.known();
    }

    @Override
    public List<InputPart> inputParts() {
        List<InputPart> inputs = new ArrayList<>(chains.size());
        int known = places.known();
        for (int i = 0; i < chains.size(); i++) {
            inputs.add(chains.get(i).part().input(i <= known ? places.start(i) : -1));
        }
        return inputs;
    }

    @Override
    public RowSource input(int fromPart, long fromRow, int toPart, long toRow) {
        List<Chain> selected = new ArrayList<>();
        for (int i = fromPart; i <= toPart && i < chains.size(); i++) {
            Chain chain = chains.get(i);
            long rows = chain.part().rows();
            long from = i == fromPart ? Math.min(fromRow, rows) : 0;
            long to = i == toPart ? Math.min(toRow, rows) : rows;
            if (from < to) {
                selected.add(chain.slice(from, to));
            }
        }
        return of(schema, selected);
    }

    @Override
    public BatchStream open(long from, long to, ReadContext context) {
        long total = places.total();
        long end = total < 0 ? to : Math.min(to, total);
        if (from >= end && (total >= 0 || context.ending() == Ending.STOP)) {
            return new EmptyStream(schema);
        }
        RowPlaces.Start start = places.find(from);
        RowPlaces.End last = places.end(Math.max(end, 1));
        Ending ending = places.ending(context.ending(), end);
        if (ending == Ending.PEEK) {
            // What is beyond the range has to be read to be seen.
            last = new RowPlaces.End(chains.size() - 1, -1);
        }
        BatchStream rows = read(partitions(start, last, context), context);
        return exact ? rows : new CutStream(rows, start.firstRow(), from, end, ending, places);
    }

    @Override
    public Iterator<Partition> partitions(ReadContext context) {
        return partitions(
                new RowPlaces.Start(0, 0, 0), new RowPlaces.End(chains.size() - 1, -1), context);
    }

    private BatchStream read(Iterator<Partition> partitions, ReadContext context) {
        return isCounted()
                ? OrderedPartitions.together(
                        schema, partitions, context.group(), context.parallelism())
                : new OrderedPartitions(schema, partitions, context.group(), context.parallelism());
    }

    /** Whether rows are read for their number alone, so that nobody waits for the first ones. */
    private boolean isCounted() {
        return schema.size() == 0;
    }

    private Iterator<Partition> partitions(
            RowPlaces.Start start, RowPlaces.End end, ReadContext context) {
        return IntStream.rangeClosed(start.part(), end.part())
                .mapToObj(
                        i -> {
                            long from = i == start.part() ? start.in() : 0;
                            long rows = chains.get(i).part().rows();
                            long to = i == end.part() && end.in() >= 0 ? end.in() : rows;
                            return partition(i, from, Math.max(from, to), start, context);
                        })
                .filter(partition -> partition.chain().part().rows() > 0)
                .map(Partition.class::cast)
                .iterator();
    }

    private ChainPartition partition(
            int number, long from, long to, RowPlaces.Start start, ReadContext context) {
        Chain whole = chains.get(number);
        Chain slice = whole.slice(from, to);
        Chain chain = number == start.part() && !isCounted() ? slice.soon() : slice;
        return switch (places.parts().get(number)) {
            case AllPlaces _ -> new ChainPartition(chain, new Lesson.None(), context);
            case Checkpoints checkpoints -> {
                Place place =
                        number == start.part()
                                ? new Place(from, start.firstRow() - places.start(number))
                                : Place.START;
                yield new ChainPartition(
                        chain,
                        new Lesson.Of(
                                checkpoints, whole.part().from(), place, to == whole.part().rows()),
                        context);
            }
        };
    }

    @Override
    public RowSource slice(long offset, long rows) {
        if (!exact) {
            return new LimitSource(this, offset, rows);
        }
        long total = places.total();
        long from = Math.min(offset, total);
        long to = rows > total - from ? total : from + rows;
        List<Chain> selected = new ArrayList<>();
        for (int i = 0; i < chains.size(); i++) {
            add(selected, i, from, to);
        }
        return of(schema, selected);
    }

    /** Adds what is in rows {@code [from, to)} of a chain that keeps the row count. */
    private void add(List<Chain> into, int number, long from, long to) {
        long start = places.start(number);
        Chain chain = chains.get(number);
        long first = Math.max(from - start, 0);
        long last = Math.min(to - start, chain.part().rows());
        if (first < last) {
            into.add(chain.slice(first, last));
        }
    }

    /**
     * The same with chains that are cut also at certain rows, if it is known where these are.
     *
     * @param border gives for a row the first border that is behind it
     */
    PartitionedSource cut(LongUnaryOperator border) {
        if (!exact) {
            return this;
        }
        List<Chain> pieces = new ArrayList<>();
        long total = places.total();
        for (int i = 0; i < chains.size(); i++) {
            long end = places.start(i) + chains.get(i).part().rows();
            long from = places.start(i);
            while (from < end) {
                long to = Math.min(end, border.applyAsLong(from));
                add(pieces, i, from, to);
                from = to;
            }
        }
        return total == 0 ? this : of(schema, pieces);
    }

    @Override
    public RowSource with(Operator operator) {
        if (operator.needsRowNumbers() && !exact) {
            return operator.keepsRowCount()
                    ? new MappedSource(this, operator)
                    : new SerialSource(this, operator);
        }
        List<Chain> all = new ArrayList<>(chains.size());
        for (int i = 0; i < chains.size(); i++) {
            all.add(chains.get(i).with(operator, exact ? places.start(i) : 0));
        }
        return operator.keepsRowCount()
                ? new PartitionedSource(all, operator.schema(), places)
                : of(operator.schema(), all);
    }

    /** The same rows under a schema that differs in names, or in what may be null. */
    PartitionedSource under(RowSchema other) {
        if (schema.equals(other)) {
            return this;
        }
        Operator renamed = ProjectOperator.renamed(ColumnSet.first(schema.size()), schema, other);
        return map(chain -> chain.with(renamed, 0), other);
    }

    @Override
    public RowSource narrowed(ColumnSet columns) {
        return map(chain -> chain.narrowed(columns), columns.of(schema));
    }

    private PartitionedSource map(UnaryOperator<Chain> change, RowSchema other) {
        return new PartitionedSource(chains.stream().map(change).toList(), other, places);
    }
}
