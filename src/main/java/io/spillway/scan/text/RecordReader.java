package io.spillway.scan.text;

import io.spillway.batch.RecordBatch;

/**
 * Reads records of one partition: finds some, then decodes them, column by column. Used by one
 * thread at a time.
 */
public interface RecordReader extends AutoCloseable {

    /**
     * Finds records.
     *
     * @param from where a record begins
     * @param last whether the text ends at {@code to}
     * @param most records to find, above 0, no more than the reader was made for
     * @return how many were found; fewer than {@code most} only if no other one ends by {@code to}
     * @throws TextFault for what is no record
     */
    int find(long from, long to, boolean last, int most);

    /** The same for records that nobody wants, without a bound but an integer's. */
    int skip(long from, long to, boolean last, long most);

    /** The address behind the records that were found or skipped last. */
    long next();

    /**
     * The records that were found last as a batch, the caller's. Their bytes still stand where they
     * stood.
     *
     * @throws TextFault for a value that is not of its column's type
     */
    RecordBatch decode();

    @Override
    void close();
}
