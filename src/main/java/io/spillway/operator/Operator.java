package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A step that works on each batch by itself, wherever the batch comes from. Immutable; each {@link
 * #over} has state of its own.
 *
 * <p>A stream over an input pulls the next batch only when everything that the ones before it give
 * has come out: so whoever watches both ends knows how many rows come of how many.
 */
public interface Operator {

    /** The columns that come out. */
    RowSchema schema();

    /** True if exactly one row comes out for each that goes in, in the same order. */
    boolean keepsRowCount();

    /**
     * True if what comes out depends on the numbers of the rows that go in. Such an operator can
     * only be put where these are known.
     */
    default boolean needsRowNumbers() {
        return false;
    }

    /**
     * The same for somebody who wants only some of the columns that come out; what is computed for
     * others alone is not computed then, nor are its errors met.
     */
    Narrowed narrowed(ColumnSet wanted);

    /**
     * The operator at work: takes over the input, and allocates its output from the allocator.
     *
     * @param firstRow number of the input's first row among all rows that go into the operator; of
     *     no meaning to one that needs no row numbers
     */
    BatchStream over(BatchStream input, long firstRow, BufferAllocator allocator);
}
