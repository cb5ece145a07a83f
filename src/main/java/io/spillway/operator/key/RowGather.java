package io.spillway.operator.key;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows of several batches put together in a new one, column at a time. A column whose batches all
 * share one dictionary keeps it; else it becomes plain.
 *
 * <p>Immutable; any number of threads may use it. The batches stay the caller's, and open for as
 * long as this is used.
 */
public final class RowGather {

    private final RowSchema schema;
    private final List<ColumnGather> columns = new ArrayList<>();

    /**
     * A gatherer.
     *
     * @param schema of the batches
     * @param sources which rows are taken from, by their place in this list
     */
    public RowGather(RowSchema schema, List<RecordBatch> sources) {
        this.schema = schema;
        for (int i = 0; i < schema.size(); i++) {
            int column = i;
            columns.add(
                    new ColumnGather(
                            schema.column(i),
                            sources.stream().map(batch -> batch.column(column)).toList()));
        }
    }

    /**
     * Some rows as a batch, which the caller owns.
     *
     * @param sourceOf for each row its source
     * @param rowOf for each row its number there; a negative one gives a row of nulls
     * @param count how many of these are used
     */
    public RecordBatch gather(int[] sourceOf, int[] rowOf, int count, BufferAllocator allocator) {
        List<ColumnVector> out = new ArrayList<>(columns.size());
        try {
            for (ColumnGather column : columns) {
                out.add(column.take(sourceOf, rowOf, count, allocator));
            }
            return new RecordBatch(schema, out, count);
        } catch (Throwable t) {
            out.forEach(ColumnVector::close);
            throw t;
        }
    }
}
