package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Narrowed;
import io.spillway.operator.Operator;
import java.util.OptionalLong;

/** An operator that keeps the row count, over the one ordered stream of a source. */
record MappedSource(RowSource input, Operator operator) implements RowSource {

    @Override
    public RowSchema schema() {
        return operator.schema();
    }

    @Override
    public OptionalLong rowCount() {
        return input.rowCount();
    }

    @Override
    public long rowsAtLeast() {
        return input.rowsAtLeast();
    }

    @Override
    public long rowsPlaced() {
        return input.rowsPlaced();
    }

    @Override
    public long partitionEnd(long row) {
        return input.partitionEnd(row);
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
        return operator.over(input.open(from, to, context), from, context.pool().allocator());
    }

    @Override
    public PollStream<CountProgress> count(long upTo, ReadContext context) {
        return input.count(upTo, context);
    }

    @Override
    public RowSource slice(long offset, long rows) {
        return new LimitSource(this, offset, rows);
    }

    @Override
    public RowSource with(Operator next) {
        return SerialSource.of(this, next);
    }

    @Override
    public RowSource narrowed(ColumnSet columns) {
        Narrowed narrowed = operator.narrowed(columns);
        RowSource source = input.narrowed(narrowed.reads());
        for (Operator narrow : narrowed.operators()) {
            source = new MappedSource(source, narrow);
        }
        return source;
    }
}
