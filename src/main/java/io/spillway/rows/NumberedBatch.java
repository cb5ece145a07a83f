package io.spillway.rows;

import io.spillway.batch.RecordBatch;

/**
 * A batch that knows its place. Owns the batch.
 *
 * @param firstRow row number of its first row
 */
record NumberedBatch(long firstRow, RecordBatch batch) implements AutoCloseable {

    @Override
    public void close() {
        batch.close();
    }
}
