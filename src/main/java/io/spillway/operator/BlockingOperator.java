package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import java.util.List;

/**
 * A step that must see much of its inputs, or all, before the first row comes out: it keeps state,
 * and spills what does not fit in memory. Immutable; each {@link #over} has state of its own.
 *
 * <p>What comes out, to the bit, is a function of the rows that go in: neither memory nor spill nor
 * the number of threads changes it.
 */
public interface BlockingOperator {

    /** The columns that come out. */
    RowSchema schema();

    /**
     * The operator at work. Takes over the inputs, which are closed with the stream or before.
     *
     * <p>A pull does about one batch of work. One that has worked but has nothing to give yet
     * answers {@link io.spillway.batch.Poll#again()}. State is asked for by a {@link
     * io.spillway.memory.MemoryHolding}; the first buffers, without which nothing moves, by {@link
     * io.spillway.memory.MemoryPool#admit}. A stream that waits for its input also waits for its
     * holding to be {@linkplain io.spillway.memory.MemoryHolding#revoked() revoked}. Closing the
     * stream at any moment frees buffers, holdings, spill files and tasks.
     *
     * @param inputs as many as the operator has, in order
     */
    BatchStream over(List<BatchStream> inputs, WorkContext context);
}
