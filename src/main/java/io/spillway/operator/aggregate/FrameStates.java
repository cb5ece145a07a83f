package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * States of calls by numbers that the caller gives: for frames of windows, where rows are not told
 * apart by keys. A state may be added to row by row, and put together of others.
 *
 * <pre>
 *   a running frame         states 0, 1, 2 …: add the rows of peers to i, {@link #copy} i to i + 1
 *   a frame of a few rows   one state a row, to which the frame's rows are added
 *   a wide frame            states are nodes of a tree over the rows, {@link #merge}d bottom up
 * </pre>
 *
 * <p>Sums of floats depend on what is merged with what: for results that depend on nothing else,
 * merge along a tree whose nodes are fixed by the rows' places. Calls are neither distinct, nor
 * ARRAY_AGG, percentiles or approximate. Not thread-safe.
 */
public final class FrameStates implements AutoCloseable {

    private final CallStates calls;

    /**
     * No states.
     *
     * @param input columns that the calls are over
     * @param memory grown by what the states take; stays the caller's
     */
    public FrameStates(
            List<AggregateCall> calls,
            RowSchema input,
            BufferAllocator allocator,
            StateMemory memory) {
        this.calls = new CallStates(calls, input, 0, allocator, memory);
    }

    /**
     * Makes states 0 to {@code count - 1}; those that are not there already are those of no rows.
     *
     * @return false if there is no memory for them
     */
    public boolean reserve(int count) {
        if (!calls.states().reserve(count)) {
            return false;
        }
        calls.states().grow(Math.max(count, calls.states().size()));
        return true;
    }

    /** Makes a state that of no rows. */
    public void clear(int state) {
        OffHeap.zero(calls.states().address(state), calls.states().stride());
    }

    /**
     * Adds rows to states, one after the other.
     *
     * @param batch stays the caller's
     * @param rows of the batch, any of them any number of times, of which the first {@code count}
     *     are added
     * @param states to which these are added
     * @return false if there is no memory for it; nothing was added then
     * @throws io.spillway.error.SpillwayException {@code TOO_MANY_ROWS}
     */
    public boolean tryAdd(RecordBatch batch, int[] rows, int[] states, int count) {
        if (!calls.reserve(batch, rows, states, count)) {
            return false;
        }
        calls.add(batch, rows, states, count);
        return true;
    }

    /** Makes a state the same as another. */
    public void copy(int from, int to) {
        clear(to);
        calls.merge(from, to);
    }

    /** Adds to a state what another has seen, whose rows come after its own. */
    public void merge(int from, int to) {
        calls.merge(from, to);
    }

    /**
     * The results of a call for states {@code [from, from + count)}.
     *
     * @param schema of the column, of the call's type
     * @return owned by the caller
     * @throws io.spillway.error.SpillwayException {@code ARITHMETIC_OVERFLOW}
     */
    public ColumnVector results(int call, ColumnSchema schema, int from, int count) {
        return calls.results(call, schema, from, count);
    }

    /** Frees the states and gives back what they took. */
    @Override
    public void close() {
        calls.close();
    }
}
