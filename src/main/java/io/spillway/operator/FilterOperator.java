package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Gather;
import io.spillway.expression.VectorPredicate;
import org.apache.arrow.memory.BufferAllocator;

/** Keeps the rows for which a predicate is true. */
public record FilterOperator(Expression predicate, RowSchema schema) implements Operator {

    @Override
    public boolean keepsRowCount() {
        return false;
    }

    @Override
    public BatchStream over(BatchStream input, BufferAllocator allocator) {
        VectorPredicate compiled = ExpressionCompiler.predicate(predicate, schema);
        return new MapStream(
                input,
                schema,
                batch -> Gather.gather(batch, compiled.select(batch, allocator), allocator),
                compiled::close);
    }
}
