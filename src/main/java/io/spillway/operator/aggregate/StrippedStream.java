package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;

/** Rows without the numbers that are their last column. */
final class StrippedStream implements BatchStream {

    private final BatchStream input;
    private final RowSchema schema;

    StrippedStream(BatchStream input, RowSchema schema) {
        this.input = input;
        this.schema = schema;
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> in = input.poll();
        if (in instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
            try (batch) {
                return Poll.output(NumberedRows.strip(batch, schema));
            }
        }
        return in;
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        input.close();
    }
}
