package io.spillway.rows;

import io.spillway.batch.BatchGroup;
import io.spillway.batch.BatchGrouper;
import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;

/**
 * Cuts the rows of a stream at the multiples of a number of rows, wherever the stream's batches
 * begin and end: for a format that shows where it was cut, so that it shows the same to everybody.
 * What belongs together is only collected here; whoever takes it puts it into one.
 */
final class AlignedStream implements PollStream<BatchGroup> {

    private final BatchStream input;
    private final BatchGrouper grouper;

    /**
     * @param from row number of the input's first row
     * @param rows rows between two cuts
     * @param most how many cuts one answer may go over
     */
    AlignedStream(BatchStream input, long from, int rows, long most) {
        this.input = input;
        this.grouper = new BatchGrouper(rows, (int) (from % rows), most);
    }

    @Override
    public Poll<BatchGroup> poll() {
        BatchGroup ready = grouper.next();
        if (ready != null) {
            return Poll.output(ready);
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                grouper.add(batch);
                yield Poll.again();
            }
            case Poll.Blocked<RecordBatch>(var until) -> Poll.blocked(until);
            case Poll.Finished<RecordBatch>() -> {
                BatchGroup rest = grouper.rest();
                yield rest == null ? Poll.finished() : Poll.output(rest);
            }
        };
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        grouper.close();
        input.close();
    }
}
