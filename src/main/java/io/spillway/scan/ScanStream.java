package io.spillway.scan;

import io.spillway.batch.BatchStream;

/**
 * Rows of one partition of a file, by a stream that knows how far it has come, though it may have
 * left rows out.
 */
public interface ScanStream extends BatchStream {

    /**
     * The row of the partition after the last one that has come out or been left out so far: every
     * row before it is done with, and none from there on has come out. The task's first row before
     * the first pull, the row after its last at the end.
     */
    long position();
}
