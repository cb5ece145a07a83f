package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.Operator;
import java.util.OptionalLong;

/**
 * An operator over the one ordered stream of a source: what stands above a limit whose place is
 * only found by counting.
 */
record SerialSource(RowSource input, Operator operator) implements RowSource {

    @Override
    public RowSchema schema() {
        return operator.schema();
    }

    @Override
    public OptionalLong rowCount() {
        OptionalLong below = input.rowCount();
        return operator.keepsRowCount() || (below.isPresent() && below.getAsLong() == 0)
                ? below
                : OptionalLong.empty();
    }

    @Override
    public int partitions() {
        return input.partitions();
    }

    @Override
    public BatchStream open(long from, long to, ReadContext context) {
        if (operator.keepsRowCount()) {
            return operator.over(input.open(from, to, context), context.pool().allocator());
        }
        ReadContext below = context.withEnd(total -> {}, Ending.STOP);
        BatchStream all =
                operator.over(input.open(0, Long.MAX_VALUE, below), context.pool().allocator());
        return new CutStream(all, from, to, context.end(), context.ending());
    }

    @Override
    public RowSource slice(long offset, long rows) {
        return new LimitSource(this, offset, rows);
    }

    @Override
    public RowSource with(Operator next) {
        return new SerialSource(this, next);
    }
}
