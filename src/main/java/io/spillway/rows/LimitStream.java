package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;

/** Rows {@code [offset, offset + rows)} of a stream, which is closed when they have come. */
final class LimitStream implements BatchStream {

    private final BatchStream input;
    private long skip;
    private long left;

    LimitStream(BatchStream input, long offset, long rows) {
        this.input = input;
        this.skip = offset;
        this.left = rows;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (left == 0) {
            close();
            return Poll.finished();
        }
        Poll<RecordBatch> answer = input.poll();
        return answer instanceof Poll.Output<RecordBatch>(RecordBatch batch) ? cut(batch) : answer;
    }

    private Poll<RecordBatch> cut(RecordBatch batch) {
        int from = (int) Math.min(skip, batch.rowCount());
        int count = (int) Math.min(left, batch.rowCount() - from);
        skip -= from;
        left -= count;
        if (count == batch.rowCount()) {
            return Poll.output(batch);
        }
        try (batch) {
            return count == 0 ? Poll.again() : Poll.output(batch.slice(from, count));
        }
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        left = 0;
        input.close();
    }
}
