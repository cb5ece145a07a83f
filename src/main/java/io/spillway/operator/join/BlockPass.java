package io.spillway.operator.join;

/**
 * All left rows of a partition past a block of its right rows, which is in memory. What comes of it
 * is written to files.
 */
interface BlockPass extends AutoCloseable {

    /** One turn; false when all left rows are past. */
    boolean step();

    /** Hands over what was written. */
    void finish();

    @Override
    void close();
}
