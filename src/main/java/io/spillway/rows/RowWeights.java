package io.spillway.rows;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.encode.MeasuredRows;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.VectorExpression;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.Float8Vector;

/**
 * What rows weigh by one of their columns, a number: null, NaN and what is negative is nothing. One
 * thread at a time.
 */
final class RowWeights implements MeasuredRows.Weights {

    private static final ColumnType DOUBLE = new ColumnType.FloatingPoint(Double.SIZE);

    private final VectorExpression number;
    private final BufferAllocator allocator;

    /**
     * @param column its index
     * @param allocator for what is needed for a moment
     */
    RowWeights(RowSchema schema, int column, BufferAllocator allocator) {
        this.number =
                ExpressionCompiler.compile(
                        new Expression.Cast(
                                new Expression.Column(column, schema.column(column).type()),
                                DOUBLE,
                                false),
                        schema);
        this.allocator = allocator;
    }

    @Override
    public double[] of(RecordBatch batch, int from, int to) {
        double[] weights = new double[to - from];
        try (RecordBatch rows = batch.slice(from, to - from);
                ColumnVector values = number.evaluate(rows, allocator)) {
            switch (values) {
                case ColumnVector.Plain(var vector) -> {
                    for (int i = 0; i < weights.length; i++) {
                        weights[i] = weight((Float8Vector) vector, i);
                    }
                }
                case ColumnVector.Encoded(var indices, var dictionary) -> {
                    for (int i = 0; i < weights.length; i++) {
                        weights[i] =
                                indices.isNull(i)
                                        ? 0
                                        : weight(
                                                (Float8Vector) dictionary.values(), indices.get(i));
                    }
                }
            }
        }
        return weights;
    }

    @Override
    public void close() {
        number.close();
    }

    private static double weight(Float8Vector vector, int row) {
        if (vector.isNull(row)) {
            return 0;
        }
        double weight = vector.get(row);
        return weight > 0 ? weight : 0;
    }
}
