package io.spillway.batch;

/**
 * A sequence that is pulled, a turn at a time, without ever waiting.
 *
 * <p>Contract: one thread at a time (any thread, with a happens-before edge between turns). A pull
 * does a bounded amount of work, about one batch. After a pull has thrown, the stream is only good
 * for closing. Closing is allowed in every state and any number of times, cancels what is under
 * way, and frees everything the stream holds; items already handed out stay with their owners.
 */
public interface PollStream<T> extends AutoCloseable {

    /**
     * One turn.
     *
     * @throws io.spillway.error.SpillwayException what stopped the stream
     */
    Poll<T> poll();

    /**
     * Drops whatever can be rebuilt (buffers, open files, read-ahead) while nobody wants items; the
     * next pull goes on at the same row. Called in place of a pull, never beside one. A stream that
     * holds nothing worth dropping does nothing.
     */
    default void release() {}

    @Override
    void close();
}
