package io.spillway.rows;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.LiteralColumn;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.ScanStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Rows that stand in the plan, as batches. */
final class ValuesStream implements ScanStream {

    private final PhysicalPlan.Values values;
    private final int to;
    private final int batchRows;
    private final BufferAllocator allocator;
    private int next;

    ValuesStream(
            PhysicalPlan.Values values,
            int from,
            int to,
            int batchRows,
            BufferAllocator allocator) {
        this.values = values;
        this.next = from;
        this.to = to;
        this.batchRows = batchRows;
        this.allocator = allocator;
    }

    @Override
    public RowSchema schema() {
        return values.schema();
    }

    @Override
    public long position() {
        return next;
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (next >= to) {
            return Poll.finished();
        }
        int count = Math.min(batchRows, to - next);
        List<List<Expression.Literal>> rows = values.rows().subList(next, next + count);
        next += count;
        List<ColumnVector> columns = new ArrayList<>();
        try {
            for (int i = 0; i < values.schema().size(); i++) {
                int column = i;
                List<Expression.Literal> literals =
                        rows.stream().map(row -> row.get(column)).toList();
                columns.add(
                        LiteralColumn.of(values.schema().column(i).type(), literals, allocator));
            }
            return Poll.output(new RecordBatch(values.schema(), columns, count));
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    @Override
    public void close() {
        next = to;
    }
}
