package io.spillway.execution;

/**
 * One of the workers of a {@link ParallelStage}: turns an item into any number of results. Used by
 * one thread at a time.
 */
public interface Lane<I, O> extends AutoCloseable {

    /** Takes over an item; the one before has been worked through. */
    void begin(I item);

    /** Whether the item under way has more results; if not, it has been closed. */
    boolean hasNext();

    /** The next result of the item, owned by the caller. There must be one. */
    O next();

    /** Nobody wants results at the moment: drops what can be rebuilt. */
    void idle();

    /** Closes the item under way, if any, and frees everything. */
    @Override
    void close();
}
