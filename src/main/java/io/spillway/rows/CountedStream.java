package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.scan.ScanStream;

/** The rows of a source's stream, which knows how far it has come by counting them. */
final class CountedStream implements ScanStream {

    private final BatchStream input;
    private long position;

    /**
     * @param from number of the input's first row
     */
    CountedStream(BatchStream input, long from) {
        this.input = input;
        this.position = from;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> answer = input.poll();
        if (answer instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
            position += batch.rowCount();
        }
        return answer;
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
