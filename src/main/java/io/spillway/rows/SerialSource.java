package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Narrowed;
import io.spillway.operator.Operator;
import java.util.List;
import java.util.OptionalLong;

/**
 * An operator that drops or adds rows, over the one ordered stream of a source: what stands above a
 * source whose parts cannot be worked on by themselves. Where its rows come from is learnt, as
 * places in the source's rows.
 */
final class SerialSource implements RowSource {

    private final RowSource input;
    private final Operator operator;
    private final RowPlaces places;

    SerialSource(RowSource input, Operator operator) {
        this(
                input,
                operator,
                new RowPlaces(List.of(new Checkpoints(Checkpoints.STRIDE, Long.MAX_VALUE))));
    }

    private SerialSource(RowSource input, Operator operator, RowPlaces places) {
        this.input = input;
        this.operator = operator;
        this.places = places;
    }

    /** An operator over a source's one stream. */
    static RowSource of(RowSource input, Operator operator) {
        return operator.keepsRowCount()
                ? new MappedSource(input, operator)
                : new SerialSource(input, operator);
    }

    RowSource input() {
        return input;
    }

    Operator operator() {
        return operator;
    }

    RowPlaces places() {
        return places;
    }

    Checkpoints checkpoints() {
        return (Checkpoints) places.parts().getFirst();
    }

    @Override
    public RowSchema schema() {
        return operator.schema();
    }

    @Override
    public OptionalLong rowCount() {
        OptionalLong below = input.rowCount();
        long total = below.isPresent() && below.getAsLong() == 0 ? 0 : places.total();
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
    public int partitions() {
        return input.partitions();
    }

    @Override
    public int partitionsCounted() {
        return input.partitionsCounted();
    }

    @Override
    public BatchStream open(long from, long to, ReadContext context) {
        OptionalLong total = rowCount();
        long end = total.isPresent() ? Math.min(to, total.getAsLong()) : to;
        if (from >= end && (total.isPresent() || context.ending() == Ending.STOP)) {
            return new EmptyStream(schema());
        }
        Place start = checkpoints().before(from);
        Ending ending = places.ending(context.ending(), end);
        long known = ending == Ending.STOP ? checkpoints().after(end) : -1;
        long last = known < 0 ? Long.MAX_VALUE : known;
        BatchStream rows = input.open(start.in(), last, context.withEnding(Ending.STOP));
        Watch watch =
                new Watch(
                        checkpoints(),
                        new CountedStream(rows, start.in()),
                        0,
                        start.out(),
                        known < 0);
        BatchStream all =
                watch.over(in -> operator.over(in, start.in(), context.pool().allocator()));
        return new CutStream(all, start.out(), from, end, ending, places);
    }

    @Override
    public RowSource slice(long offset, long rows) {
        return new LimitSource(this, offset, rows);
    }

    @Override
    public RowSource with(Operator next) {
        return of(this, next);
    }

    @Override
    public RowSource narrowed(ColumnSet columns) {
        Narrowed narrowed = operator.narrowed(columns);
        List<Operator> operators = narrowed.operators();
        RowSource source =
                new SerialSource(input.narrowed(narrowed.reads()), operators.getFirst(), places);
        for (Operator above : operators.subList(1, operators.size())) {
            source = new MappedSource(source, above);
        }
        return source;
    }
}
