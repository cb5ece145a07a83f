package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.execution.Partition;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Operator;
import java.util.Iterator;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a plan some of whose steps must see their whole input before they give any. What
 * these give is computed once, by whoever counts first, and written to spools; from then on the
 * source is one over the spools. Until then, and again if a spool is lost, no row is reached.
 *
 * <pre>
 *   count ──▶ spools there? ── no ──▶ build them ──▶ source over the spools ──▶ count that
 * </pre>
 */
final class SpooledSource implements RowSource {

    private final SpooledPlan plan;

    /** Null for all. */
    private final @Nullable ColumnSet columns;

    SpooledSource(SpooledPlan plan) {
        this(plan, null);
    }

    private SpooledSource(SpooledPlan plan, @Nullable ColumnSet columns) {
        this.plan = plan;
        this.columns = columns;
    }

    /** The source over the spools, if all are there. */
    @Nullable RowSource built() {
        RowSource source = plan.source();
        return source == null || columns == null ? source : source.narrowed(columns);
    }

    @Override
    public RowSchema schema() {
        RowSchema all = plan.plan().schema();
        return columns == null ? all : columns.of(all);
    }

    @Override
    public OptionalLong rowCount() {
        RowSource source = plan.source();
        return source == null ? OptionalLong.empty() : source.rowCount();
    }

    @Override
    public long rowsAtLeast() {
        RowSource source = plan.source();
        return source == null ? 0 : source.rowsAtLeast();
    }

    @Override
    public long rowsPlaced() {
        RowSource source = plan.source();
        return source == null ? 0 : source.rowsPlaced();
    }

    @Override
    public boolean reaches(long row) {
        RowSource source = plan.source();
        return source != null && source.reaches(row);
    }

    @Override
    public long partitionEnd(long row) {
        RowSource source = plan.source();
        return source == null ? Long.MAX_VALUE : source.partitionEnd(row);
    }

    @Override
    public int partitions() {
        RowSource source = plan.source();
        return source == null ? plan.partitions() : source.partitions();
    }

    @Override
    public int partitionsCounted() {
        RowSource source = plan.source();
        return source == null ? plan.progress().partitionsRead() : source.partitionsCounted();
    }

    @Override
    public BatchStream open(long from, long to, ReadContext context) {
        RowSource source = built();
        return source == null
                ? new SpooledStream(this, from, to, context)
                : source.open(from, to, context);
    }

    @Override
    public @Nullable Iterator<Partition> partitions(ReadContext context) {
        RowSource source = built();
        return source == null ? null : source.partitions(context);
    }

    @Override
    public PollStream<CountProgress> count(long upTo, ReadContext context) {
        return new SpoolCount(plan, upTo, context);
    }

    /** Empty text if all is known without learning, once the spools are there. */
    @Override
    public @Nullable String counts() {
        RowSource source = plan.source();
        if (source == null) {
            return null;
        }
        String learnt = source.counts();
        OptionalLong rows = source.rowCount();
        return learnt == null && rows.isPresent() && source.rowsPlaced() >= rows.getAsLong()
                ? ""
                : learnt;
    }

    @Override
    public void learn(String counts) {
        plan.learn(counts);
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
    public RowSource narrowed(ColumnSet wanted) {
        return new SpooledSource(plan, columns == null ? wanted : columns.at(wanted));
    }
}
