package io.spillway.benchmark;

import java.io.IOException;

/** One of those that are measured: a process of its own over one set of files. */
interface Contender extends AutoCloseable {

    /**
     * A whole stream.
     *
     * @param rows rows it had
     * @param bytes bytes of NDJSON
     * @param nanos from the request to the end
     */
    record Streamed(long rows, long bytes, long nanos) {}

    /** How it stands in the table. */
    String name();

    /** All rows as NDJSON. */
    Streamed stream() throws IOException;

    /** Nanoseconds from asking for all rows to having the first one; the rest is not read. */
    long firstRow() throws IOException;

    /** Nanoseconds to get 100 rows from a row number on. */
    long page(long offset) throws IOException;

    /** The process's number. */
    long pid();

    /** The most memory the process has had, in bytes. */
    default long peakBytes() throws IOException {
        return ProcessMemory.peakBytes(pid());
    }

    @Override
    void close() throws IOException;
}
