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

    /** Some of the input's columns as they are. */
    public static ProjectOperator select(ColumnSet columns, RowSchema input) {
        return renamed(columns, input, columns.of(input));
    }

    /**
     * Some of the input's columns under other names.
     *
     * @param schema as many columns, of the same types
     */
    public static ProjectOperator renamed(ColumnSet columns, RowSchema input, RowSchema schema) {
        List<Expression> expressions = new ArrayList<>();
        for (int i = 0; i < input.size(); i++) {
            if (columns.contains(i)) {
                expressions.add(new Expression.Column(i, input.column(i).type()));
            }
        }
        return new ProjectOperator(expressions, input, schema);
    }

    @Override
    public boolean keepsRowCount() {
        return true;
    }

    @Override
    public Narrowed narrowed(ColumnSet wanted) {
        List<Expression> left = wanted.of(expressions);
        ColumnSet reads =
                left.stream().map(ColumnSet::readBy).reduce(ColumnSet.none(), ColumnSet::and);
        return new Narrowed(
                reads,
                left.isEmpty()
                        ? List.of()
                        : List.of(
                                new ProjectOperator(
                                        reads.translate(left),
                                        reads.of(input),
                                        wanted.of(schema))));
    }

    @Override
    public BatchStream over(BatchStream in, long firstRow, BufferAllocator allocator) {
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
