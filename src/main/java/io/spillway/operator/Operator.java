package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A step that works on each batch by itself, wherever the batch comes from. Immutable; each {@link
 * #over} has state of its own.
 */
public interface Operator {

    /** The columns that come out. */
    RowSchema schema();

    /** True if exactly one row comes out for each that goes in, in the same order. */
    boolean keepsRowCount();

    /** The operator at work: takes over the input, and allocates its output from the allocator. */
    BatchStream over(BatchStream input, BufferAllocator allocator);
}
