package io.spillway.execution;

import org.jspecify.annotations.Nullable;

/**
 * One of the workers of a {@link ParallelStage}: turns an item into any number of results. Used by
 * one thread at a time.
 */
public interface Lane<I, O> extends AutoCloseable {

    /** Takes over an item; the one before has been worked through. */
    void begin(I item);

    /**
     * The next result of the item, owned by the caller, or null if there is no more; then the item
     * has been closed.
     */
    @Nullable O next();

    /** Nobody wants results at the moment: drops what can be rebuilt. */
    void idle();

    /** Closes the item under way, if any, and frees everything. */
    @Override
    void close();
}
