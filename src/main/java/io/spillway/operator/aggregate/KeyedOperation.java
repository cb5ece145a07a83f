package io.spillway.operator.aggregate;

import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import org.apache.arrow.memory.BufferAllocator;

/** An operation that keeps something of each key of its input. */
interface KeyedOperation {

    RowSchema input();

    /** The columns that come out. */
    RowSchema schema();

    /** Whether the keys tell rows apart; else there is but one, and nothing to be split. */
    boolean hasKeys();

    /** An empty state, in memory that is taken from what is given. */
    KeyedState open(int batchRows, BufferAllocator allocator, StateMemory memory);
}
