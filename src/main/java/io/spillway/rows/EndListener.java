package io.spillway.rows;

/**
 * Told how many rows there are, by a stream that has come to the end of them. Called at most once,
 * in a scheduler's thread.
 */
@FunctionalInterface
public interface EndListener {

    /**
     * The end was reached.
     *
     * @param total the number of rows of the source that the stream reads
     */
    void reached(long total);
}
