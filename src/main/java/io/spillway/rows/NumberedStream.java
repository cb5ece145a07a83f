package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntSupplier;

/**
 * Numbers the rows of a stream and cuts its batches into parts. If a part is about a chunk, all
 * threads encode rows that come soon, rather than one of them those that come next, and the others
 * what has to wait until a whole batch has gone.
 */
final class NumberedStream implements PollStream<NumberedRows> {

    private final BatchStream input;
    private final IntSupplier partRows;
    private long next;

    /** What is left of the batch in hand. */
    private Queue<BatchPart> parts = new ArrayDeque<>();

    /**
     * @param from row number of the input's first row
     * @param partRows how many rows a part may have; asked for each batch
     */
    NumberedStream(BatchStream input, long from, IntSupplier partRows) {
        this.input = input;
        this.next = from;
        this.partRows = partRows;
    }

    @Override
    public Poll<NumberedRows> poll() {
        BatchPart part = parts.poll();
        if (part != null) {
            return Poll.output(part);
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                take(batch);
                yield parts.isEmpty() ? Poll.again() : Poll.output(parts.remove());
            }
            case Poll.Blocked<RecordBatch>(var until) -> Poll.blocked(until);
            case Poll.Finished<RecordBatch>() -> Poll.finished();
        };
    }

    private void take(RecordBatch batch) {
        if (batch.rowCount() == 0) {
            batch.close();
            return;
        }
        parts = BatchPart.cut(batch, next, partRows.getAsInt());
        next += batch.rowCount();
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        parts.forEach(BatchPart::close);
        parts.clear();
        input.close();
    }
}
