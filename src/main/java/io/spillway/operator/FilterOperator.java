package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Gather;
import io.spillway.expression.Selection;
import io.spillway.expression.VectorPredicate;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Keeps the rows for which a predicate is true.
 *
 * @param input the columns that the predicate is over
 * @param kept those of them that come out
 */
public record FilterOperator(Expression predicate, RowSchema input, ColumnSet kept)
        implements Operator {

    /** A filter that all columns come out of. */
    public FilterOperator(Expression predicate, RowSchema input) {
        this(predicate, input, ColumnSet.first(input.size()));
    }

    @Override
    public RowSchema schema() {
        return kept.of(input);
    }

    @Override
    public boolean keepsRowCount() {
        return false;
    }

    @Override
    public Narrowed narrowed(ColumnSet wanted) {
        ColumnSet reads = wanted.and(ColumnSet.readBy(predicate));
        Operator filter =
                new FilterOperator(
                        reads.translate(predicate), reads.of(input), wanted.within(reads));
        return new Narrowed(reads, List.of(filter));
    }

    @Override
    public BatchStream over(BatchStream in, long firstRow, BufferAllocator allocator) {
        VectorPredicate compiled = ExpressionCompiler.predicate(predicate, input);
        RowSchema schema = schema();
        return new MapStream(
                in,
                schema,
                kept.size() == 0
                        ? batch ->
                                new RecordBatch(schema, List.of(), compiled.count(batch, allocator))
                        : batch ->
                                gather(batch, compiled.select(batch, allocator), schema, allocator),
                compiled::close);
    }

    private RecordBatch gather(
            RecordBatch batch, Selection rows, RowSchema schema, BufferAllocator allocator) {
        boolean all = rows.count() == batch.rowCount();
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            for (int i = 0; i < input.size(); i++) {
                if (kept.contains(i)) {
                    ColumnVector column = batch.column(i);
                    columns.add(
                            all
                                    ? column.slice(0, rows.count())
                                    : Gather.gather(column, rows, allocator));
                }
            }
            return new RecordBatch(schema, columns, rows.count());
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }
}
