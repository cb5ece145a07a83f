package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;

/**
 * Rows {@code [from, to)} of a stream, found by counting; the input is closed as soon as nothing
 * more is needed from it. Tells how many rows it has seen.
 */
final class CutStream implements BatchStream {

    private final BatchStream input;
    private final long from;
    private final long to;
    private final Ending ending;
    private final RowPlaces places;
    private long seen;
    private boolean finished;

    /**
     * @param first number of the input's first row
     * @param ending what to find out before the end
     * @param places told how many rows there are at least
     */
    CutStream(BatchStream input, long first, long from, long to, Ending ending, RowPlaces places) {
        this.input = input;
        this.seen = first;
        this.from = from;
        this.to = to;
        this.ending = ending;
        this.places = places;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (finished || enough()) {
            return finish();
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> cut(batch);
            case Poll.Blocked<RecordBatch> blocked -> blocked;
            case Poll.Finished<RecordBatch>() -> finish();
        };
    }

    private boolean enough() {
        return switch (ending) {
            case STOP -> seen >= to || from >= to;
            case COUNT -> seen >= to;
            case PEEK -> seen > to;
        };
    }

    private Poll<RecordBatch> cut(RecordBatch batch) {
        long first = seen;
        int count = batch.rowCount();
        seen += count;
        places.seen(seen);
        long begin = Math.max(from - first, 0);
        long stop = Math.min(to - first, count);
        if (begin == 0 && stop == count) {
            return Poll.output(batch);
        }
        try (batch) {
            return begin < stop
                    ? Poll.output(batch.slice((int) begin, (int) (stop - begin)))
                    : Poll.again();
        }
    }

    private Poll<RecordBatch> finish() {
        close();
        return Poll.finished();
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        finished = true;
        input.close();
    }
}
