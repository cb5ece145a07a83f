package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.execution.Partition;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Operator;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a source, cut into other partitions. Where it is known where rows are, parts are cut
 * at the borders, so that several threads can work on what was one long part; a piece has {@link
 * #LEAST_ROWS} at least for that, be the partitions smaller.
 *
 * @param count how many partitions, as equal as can be, the larger ones first; 0 if {@code
 *     rowsEach} says it
 * @param rowsEach rows of each partition but the last; 0 if {@code count} says it
 */
record RepartitionSource(RowSource input, int count, long rowsEach) implements RowSource {

    /** Rows of a piece that is worth a task of its own. */
    static final long LEAST_ROWS = 8_192;

    /** A source in other partitions. */
    static RowSource of(RowSource input, int count, long rowsEach) {
        RowSource cut = input;
        if (input instanceof PartitionedSource parts && parts.isExact()) {
            RepartitionSource borders = new RepartitionSource(input, count, rowsEach);
            cut = parts.cut(row -> borders.after(row + LEAST_ROWS - 1));
        }
        return new RepartitionSource(cut, count, rowsEach);
    }

    /** The first border behind a row. */
    private long after(long row) {
        if (rowsEach > 0) {
            long partition = row / rowsEach;
            return partition + 1 > Long.MAX_VALUE / rowsEach
                    ? Long.MAX_VALUE
                    : (partition + 1) * rowsEach;
        }
        long total = input.rowCount().orElseThrow();
        long small = total / count;
        long larger = total % count * (small + 1);
        if (row < larger) {
            return (row / (small + 1) + 1) * (small + 1);
        }
        return small == 0 ? Long.MAX_VALUE : larger + ((row - larger) / small + 1) * small;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
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

    /** That of the partitions that are read, whatever the rows were cut into. */
    @Override
    public long partitionEnd(long row) {
        return input.partitionEnd(row);
    }

    /** As many as were asked for, even if some have no rows; the input's while that is unknown. */
    @Override
    public int partitions() {
        if (rowsEach == 0) {
            return count;
        }
        OptionalLong total = input.rowCount();
        return total.isPresent()
                ? (int) Math.min(Math.ceilDiv(total.getAsLong(), rowsEach), Integer.MAX_VALUE)
                : input.partitions();
    }

    @Override
    public int partitionsCounted() {
        return input.rowCount().isPresent() ? partitions() : 0;
    }

    @Override
    public List<InputPart> inputParts() {
        return input.inputParts();
    }

    @Override
    public RowSource input(int fromPart, long fromRow, int toPart, long toRow) {
        return input.input(fromPart, fromRow, toPart, toRow);
    }

    @Override
    public BatchStream open(long from, long to, ReadContext context) {
        return input.open(from, to, context);
    }

    @Override
    public @Nullable Iterator<Partition> partitions(ReadContext context) {
        return input.partitions(context);
    }

    @Override
    public PollStream<CountProgress> count(long upTo, ReadContext context) {
        return input.count(upTo, context);
    }

    @Override
    public RowSource slice(long offset, long rows) {
        return input.slice(offset, rows);
    }

    @Override
    public RowSource with(Operator operator) {
        RowSource above = input.with(operator);
        return operator.keepsRowCount() ? new RepartitionSource(above, count, rowsEach) : above;
    }

    @Override
    public RowSource narrowed(ColumnSet columns) {
        return new RepartitionSource(input.narrowed(columns), count, rowsEach);
    }
}
