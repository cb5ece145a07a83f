package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import java.util.List;

/** Numbers the batches of a stream by their first rows. */
final class NumberedStream implements PollStream<NumberedBatch> {

    private final BatchStream input;
    private long next;

    /**
     * @param from row number of the input's first row
     */
    NumberedStream(BatchStream input, long from) {
        this.input = input;
        this.next = from;
    }

    @Override
    public Poll<NumberedBatch> poll() {
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                long first = next;
                next += batch.rowCount();
                yield Poll.output(new NumberedBatch(first, List.of(batch)));
            }
            case Poll.Blocked<RecordBatch>(var until) -> Poll.blocked(until);
            case Poll.Finished<RecordBatch>() -> Poll.finished();
        };
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
