package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Operator;
import java.util.OptionalLong;

/**
 * So many rows of a source, in its order; all if it has fewer. Which ones depends on how many there
 * are, so that whoever reads a sample of a source that is not counted yet counts it first.
 */
record SampleSource(RowSource input, SampleChoice choice) implements RowSource {

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public OptionalLong rowCount() {
        long known = rowsAtLeast();
        return known == choice.rows() || input.rowCount().isPresent()
                ? OptionalLong.of(known)
                : OptionalLong.empty();
    }

    @Override
    public long rowsAtLeast() {
        return choice.of(input.rowsAtLeast());
    }

    @Override
    public long rowsPlaced() {
        OptionalLong total = input.rowCount();
        return total.isPresent() && input.rowsPlaced() >= total.getAsLong()
                ? choice.of(total.getAsLong())
                : 0;
    }

    /** Not even the first row is known before all of the input is counted. */
    @Override
    public boolean reaches(long row) {
        return input.rowCount().isPresent() && input.reaches(Long.MAX_VALUE);
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
        return new SampleStream(this, from, to, context);
    }

    @Override
    public PollStream<CountProgress> count(long upTo, ReadContext context) {
        return input.count(Long.MAX_VALUE, context);
    }

    @Override
    public RowSource slice(long offset, long rows) {
        return new LimitSource(this, offset, rows);
    }

    @Override
    public RowSource with(Operator operator) {
        return SerialSource.of(this, operator);
    }

    @Override
    public RowSource narrowed(ColumnSet columns) {
        return new SampleSource(input.narrowed(columns), choice);
    }
}
