package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;

/** No rows. */
record EmptyStream(RowSchema schema) implements BatchStream {

    @Override
    public Poll<RecordBatch> poll() {
        return Poll.finished();
    }

    @Override
    public void close() {}
}
