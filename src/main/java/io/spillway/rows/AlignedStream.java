package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the rows of a stream and cuts them at the multiples of a number of rows, wherever the
 * stream's batches begin and end: for a format that shows where it was cut, so that it shows the
 * same to everybody. What belongs together is only collected here; whoever takes it puts it into
 * one.
 */
final class AlignedStream implements PollStream<NumberedRows> {

    private final BatchStream input;
    private final int rows;
    private long next;

    /** What has been collected, and the number of its first row. */
    private List<RecordBatch> parts = new ArrayList<>();

    private long first;

    /** A batch of which some rows are still to be taken, from one on. */
    private @Nullable RecordBatch rest;

    private int restFrom;

    /**
     * @param from row number of the input's first row
     * @param rows rows between two cuts
     */
    AlignedStream(BatchStream input, long from, int rows) {
        this.input = input;
        this.rows = rows;
        this.next = from;
        this.first = from;
    }

    @Override
    public Poll<NumberedRows> poll() {
        RecordBatch batch = rest;
        if (batch == null) {
            switch (input.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch output) -> {
                    batch = output;
                    rest = batch;
                    restFrom = 0;
                }
                case Poll.Blocked<RecordBatch>(var until) -> {
                    return Poll.blocked(until);
                }
                case Poll.Finished<RecordBatch>() -> {
                    return parts.isEmpty() ? Poll.finished() : emit();
                }
            }
        }
        take(batch, (int) Math.min(batch.rowCount() - restFrom, rows - next % rows));
        return next % rows == 0 && next > first ? emit() : Poll.again();
    }

    private void take(RecordBatch batch, int count) {
        boolean last = restFrom + count == batch.rowCount();
        if (count > 0 && count < batch.rowCount()) {
            parts.add(batch.slice(restFrom, count));
        }
        if (last) {
            rest = null;
            if (count > 0 && count == batch.rowCount()) {
                parts.add(batch);
            } else {
                batch.close();
            }
        }
        restFrom += count;
        next += count;
    }

    private Poll<NumberedRows> emit() {
        NumberedRows item = new NumberedBatch(first, parts);
        parts = new ArrayList<>();
        first = next;
        return Poll.output(item);
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        parts.forEach(RecordBatch::close);
        parts.clear();
        RecordBatch open = rest;
        rest = null;
        if (open != null) {
            open.close();
        }
        input.close();
    }
}
