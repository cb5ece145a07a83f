package io.spillway.batch;

/**
 * A {@link PollStream} of record batches of one schema. Batches may have any number of rows, none
 * included.
 */
public interface BatchStream extends PollStream<RecordBatch> {

    RowSchema schema();
}
