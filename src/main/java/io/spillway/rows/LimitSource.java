package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.Operator;
import java.util.OptionalLong;

/**
 * Rows {@code [offset, offset + rows)} of a source whose row count is not known; reading stops
 * where they end.
 */
record LimitSource(RowSource input, long offset, long rows) implements RowSource {

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public OptionalLong rowCount() {
        if (rows == 0) {
            return OptionalLong.of(0);
        }
        OptionalLong below = input.rowCount();
        return below.isPresent() ? OptionalLong.of(within(below.getAsLong())) : below;
    }

    @Override
    public int partitions() {
        return input.partitions();
    }

    @Override
    public BatchStream open(long from, long to, ReadContext context) {
        long first = Math.min(from, rows);
        if (to >= rows) {
            return new LimitStream(this, first, context);
        }
        ReadContext below =
                context.withEnd(total -> context.end().reached(within(total)), context.ending());
        return input.open(plus(offset, first), plus(offset, to), below);
    }

    @Override
    public RowSource slice(long from, long count) {
        long left = Math.max(rows - from, 0);
        return new LimitSource(input, plus(offset, from), Math.min(left, count));
    }

    @Override
    public RowSource with(Operator operator) {
        return new SerialSource(this, operator);
    }

    /** How many of so many rows the limit lets through. */
    long within(long total) {
        return Math.min(Math.max(total - offset, 0), rows);
    }

    /** The sum, or the largest number if it would overflow. */
    static long plus(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
