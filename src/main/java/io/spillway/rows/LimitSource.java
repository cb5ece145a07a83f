package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Operator;
import java.util.OptionalLong;

/**
 * Rows {@code [offset, offset + rows)} of a source whose row count is not known when it is made;
 * reading stops where they end.
 */
record LimitSource(RowSource input, long offset, long rows) implements RowSource {

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    /** Known as soon as the input is known to have as many rows as the limit lets through. */
    @Override
    public OptionalLong rowCount() {
        if (rows == 0 || rowsAtLeast() == rows) {
            return OptionalLong.of(rows);
        }
        OptionalLong below = input.rowCount();
        return below.isPresent() ? OptionalLong.of(within(below.getAsLong())) : below;
    }

    @Override
    public long rowsAtLeast() {
        return within(input.rowsAtLeast());
    }

    @Override
    public long rowsPlaced() {
        return within(input.rowsPlaced());
    }

    @Override
    public long partitionEnd(long row) {
        long end = input.partitionEnd(RowView.plus(offset, row));
        return end == Long.MAX_VALUE ? end : end - offset;
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
        long first = Math.min(from, rows);
        long last = Math.min(to, rows);
        // What follows the limit does not matter, but whether there are so many rows does.
        Ending ending =
                to >= rows && context.ending() == Ending.PEEK ? Ending.COUNT : context.ending();
        return input.open(
                RowView.plus(offset, first),
                RowView.plus(offset, last),
                context.withEnding(ending));
    }

    @Override
    public PollStream<CountProgress> count(long upTo, ReadContext context) {
        return input.count(RowView.plus(offset, Math.min(upTo, rows)), context);
    }

    @Override
    public RowSource slice(long from, long count) {
        long left = Math.max(rows - from, 0);
        return new LimitSource(input, RowView.plus(offset, from), Math.min(left, count));
    }

    @Override
    public RowSource with(Operator operator) {
        return SerialSource.of(this, operator);
    }

    @Override
    public RowSource narrowed(ColumnSet columns) {
        return new LimitSource(input.narrowed(columns), offset, rows);
    }

    /** How many of so many rows the limit lets through. */
    private long within(long total) {
        return Math.min(Math.max(total - offset, 0), rows);
    }
}
