package io.spillway.expression;

import io.spillway.batch.RecordBatch;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A condition, compiled for batches of one schema. Holds scratch memory and what it has derived
 * from dictionaries, so it is used by one thread at a time (any thread, with a happens-before edge
 * between calls).
 *
 * <p>A condition of one dictionary-encoded column is tested once for each entry of the dictionary.
 */
public final class VectorPredicate implements AutoCloseable {

    private final Condition condition;
    private final List<DictionaryValue> derived;
    private final Scratch scratch;
    private final Truth verdicts = new Truth();
    private final Selection selection = new Selection();

    VectorPredicate(Condition condition, List<DictionaryValue> derived, Scratch scratch) {
        this.condition = condition;
        this.derived = List.copyOf(derived);
        this.scratch = scratch;
    }

    /**
     * The rows for which the condition is true, neither false nor unknown.
     *
     * @param batch of the schema that the condition was compiled for; stays the caller's
     * @param allocator for intermediate values, freed before this returns, and for what is kept
     *     until {@link #close()}
     * @return this predicate's own: overwritten by the next call
     * @throws io.spillway.error.SpillwayException as {@link VectorExpression#evaluate}
     */
    public Selection select(RecordBatch batch, BufferAllocator allocator) {
        try (Input input = Input.of(batch, allocator, scratch)) {
            condition.test(input, verdicts);
        }
        selection.set(verdicts.yes(), batch.rowCount());
        return selection;
    }

    /**
     * The same rows as bits.
     *
     * @param batch as for {@link #select}
     * @param allocator as for {@link #select}
     * @return a bit for each row, as in {@link java.util.BitSet}; this predicate's own: overwritten
     *     by the next call
     */
    public long[] bits(RecordBatch batch, BufferAllocator allocator) {
        try (Input input = Input.of(batch, allocator, scratch)) {
            condition.test(input, verdicts);
        }
        return verdicts.yes();
    }

    /**
     * The number of rows for which the condition is true.
     *
     * @param batch as for {@link #select}
     * @param allocator as for {@link #select}
     */
    public int count(RecordBatch batch, BufferAllocator allocator) {
        try (Input input = Input.of(batch, allocator, scratch)) {
            condition.test(input, verdicts);
        }
        int count = 0;
        for (int w = 0; w < verdicts.words(); w++) {
            count += Long.bitCount(verdicts.yes()[w]);
        }
        return count;
    }

    /**
     * Whether testing never raises an error, whatever the rows hold; values that no row has may be
     * tested then.
     */
    public boolean isTotal() {
        return condition.total();
    }

    /**
     * Frees what was derived from dictionaries. Allowed at any time between calls and any number of
     * times: a later call derives it anew.
     */
    @Override
    public void close() {
        derived.forEach(DictionaryValue::forget);
    }
}
