package io.spillway.operator.window;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.ProjectOperator;
import io.spillway.operator.RowNumbersOperator;
import io.spillway.operator.WorkContext;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.sort.SortOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * The input's rows in its order, each with values computed from the rows of its partition.
 *
 * <pre>
 *   input ─▶ numbers ─▶ sort by partition, order ─▶ values ─▶ sort by number ─▶ without numbers
 * </pre>
 *
 * Without partitions and order the rows stand as they must already, and are not sorted.
 *
 * @param partition positions of input columns; rows that agree in them are a partition, nulls with
 *     nulls; all rows if there are none
 * @param order of the rows of a partition; ties keep the input's order
 * @param calls what is computed
 * @param schema the input's columns, then the calls
 */
public record WindowOperator(
        RowSchema input,
        List<Integer> partition,
        List<SortKey> order,
        List<WindowCall> calls,
        RowSchema schema)
        implements BlockingOperator {

    /**
     * Partitions are kept in memory while they take no more than this part of it: what is being
     * given out cannot be written to disk any more when others want memory.
     */
    private static final long SEGMENT_PART = 8;

    private static final ColumnType NUMBER = new ColumnType.Int(Long.SIZE, true);

    public WindowOperator {
        partition = List.copyOf(partition);
        order = List.copyOf(order);
        calls = List.copyOf(calls);
        if (schema.size() != input.size() + calls.size()) {
            throw new IllegalArgumentException(
                    "%d columns of %d and %d calls"
                            .formatted(schema.size(), input.size(), calls.size()));
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws io.spillway.error.SpillwayException {@code TYPE_MISMATCH} for a partition or an order
     *     by a map, which has no order; the inputs stay the caller's then
     */
    @Override
    public BatchStream over(List<BatchStream> inputs, WorkContext context) {
        return over(inputs, context, context.pool().limit() / SEGMENT_PART);
    }

    /**
     * The operator at work.
     *
     * @param segmentBytes of partitions that are kept in memory at a time
     */
    BatchStream over(List<BatchStream> inputs, WorkContext context, long segmentBytes) {
        BatchStream rows = inputs.getFirst();
        if (partition.isEmpty() && order.isEmpty()) {
            return new WindowStream(rows, shape(input, schema), segmentBytes, context);
        }
        RowSchema numbered =
                with(input, new ColumnSchema(WindowShape.freeName("row", schema), NUMBER, false));
        List<ColumnSchema> columns = new ArrayList<>(numbered.columns());
        columns.addAll(schema.columns().subList(input.size(), schema.size()));
        RowSchema computed = new RowSchema(columns);
        SortOperator sort = new SortOperator(sortKeys(), Long.MAX_VALUE, numbered);
        SortOperator restore =
                new SortOperator(
                        List.of(new SortKey(input.size(), false, false)), Long.MAX_VALUE, computed);
        BatchStream sorted =
                sort.over(
                        List.of(
                                new RowNumbersOperator(0, numbered)
                                        .over(rows, 0, context.pool().allocator())),
                        context);
        BatchStream values =
                new WindowStream(sorted, shape(numbered, computed), segmentBytes, context);
        ColumnSet kept = ColumnSet.first(computed.size()).without(input.size());
        return ProjectOperator.renamed(kept, computed, schema)
                .over(restore.over(List.of(values), context), 0, context.pool().allocator());
    }

    private WindowShape shape(RowSchema in, RowSchema out) {
        return new WindowShape(in, partition, order, calls, out);
    }

    private static RowSchema with(RowSchema schema, ColumnSchema last) {
        List<ColumnSchema> columns = new ArrayList<>(schema.columns());
        columns.add(last);
        return new RowSchema(columns);
    }

    private List<SortKey> sortKeys() {
        List<SortKey> keys = new ArrayList<>();
        partition.forEach(column -> keys.add(new SortKey(column, false, false)));
        keys.addAll(order);
        return keys;
    }
}
