package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * For each element of a list a row, with the element in place of the list and the other columns
 * repeated. Null elements are elements.
 *
 * @param column which of the input's columns is the list
 * @param outer a row whose list is null or empty comes out once, with null as the element; else not
 *     at all
 * @param schema the input's, but for the type of the column, which is that of the elements
 */
public record ExplodeOperator(int column, boolean outer, RowSchema input, RowSchema schema)
        implements Operator {

    @Override
    public boolean keepsRowCount() {
        return false;
    }

    @Override
    public Narrowed narrowed(ColumnSet wanted) {
        ColumnSet reads = wanted.and(column);
        ExplodeOperator explode =
                new ExplodeOperator(
                        reads.indexOf(column), outer, reads.of(input), reads.of(schema));
        return new Narrowed(
                reads,
                wanted.contains(column)
                        ? List.of(explode)
                        : List.of(
                                explode,
                                ProjectOperator.select(wanted.within(reads), explode.schema())));
    }

    @Override
    public BatchStream over(BatchStream in, long firstRow, BufferAllocator allocator) {
        return new ExplodeStream(this, in, allocator);
    }
}
