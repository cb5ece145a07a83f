package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * An expression, compiled for batches of one schema. Holds scratch memory and what it has derived
 * from dictionaries, so it is used by one thread at a time (any thread, with a happens-before edge
 * between calls).
 *
 * <p>An expression of one dictionary-encoded column is computed once for each entry of the
 * dictionary and its result is again dictionary-encoded; batches that share a dictionary get
 * results that share one.
 */
public final class VectorExpression implements AutoCloseable {

    private final Value value;
    private final List<DictionaryValue> derived;
    private final Scratch scratch;

    VectorExpression(Value value, List<DictionaryValue> derived, Scratch scratch) {
        this.value = value;
        this.derived = List.copyOf(derived);
        this.scratch = scratch;
    }

    /** The type of the results. */
    public ColumnType type() {
        return value.type();
    }

    /**
     * A value for every row of a batch, in row order. A plain column reference gives a slice that
     * shares the column's buffers, in the form the column has.
     *
     * @param batch of the schema that the expression was compiled for; stays the caller's
     * @param allocator for the result, for what is kept until {@link #close()}, and for
     *     intermediate values, which are freed before this returns
     * @return owned by the caller; may be dictionary-encoded
     * @throws io.spillway.error.SpillwayException {@code ARITHMETIC_OVERFLOW}, {@code
     *     DIVISION_BY_ZERO}, {@code INVALID_CAST} for a row that the expression cannot be computed
     *     for; {@code MEMORY_LIMIT} for results over 2 GiB of text. Nothing is held then.
     */
    public ColumnVector evaluate(RecordBatch batch, BufferAllocator allocator) {
        try (Input input = Input.of(batch, allocator, scratch)) {
            Operand result = value.evaluate(input);
            return result.take();
        }
    }

    /**
     * Frees what was derived from dictionaries. Allowed at any time between evaluations and any
     * number of times: a later evaluation derives it anew.
     */
    @Override
    public void close() {
        derived.forEach(DictionaryValue::forget);
    }
}
