package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.VectorExpression;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Computes expressions over each row. */
public record ProjectOperator(List<Expression> expressions, RowSchema input, RowSchema schema)
        implements Operator {

    public ProjectOperator {
        expressions = List.copyOf(expressions);
    }

    @Override
    public boolean keepsRowCount() {
        return true;
    }

    @Override
    public BatchStream over(BatchStream in, BufferAllocator allocator) {
        List<VectorExpression> compiled =
                expressions.stream().map(e -> ExpressionCompiler.compile(e, input)).toList();
        return new MapStream(
                in,
                schema,
                batch -> project(batch, compiled, allocator),
                () -> compiled.forEach(VectorExpression::close));
    }

    private RecordBatch project(
            RecordBatch batch, List<VectorExpression> compiled, BufferAllocator allocator) {
        List<ColumnVector> columns = new ArrayList<>(compiled.size());
        try {
            for (VectorExpression expression : compiled) {
                columns.add(expression.evaluate(batch, allocator));
            }
            return new RecordBatch(schema, columns, batch.rowCount());
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }
}
