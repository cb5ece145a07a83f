package io.spillway.operator.window;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** Goes forward over the rows of a segment. Holds one batch. */
final class Reader implements AutoCloseable {

    private final BatchStream stream;
    private @Nullable RecordBatch batch;

    /** Position of the batch's first row. */
    private long first;

    /** Counts batches. */
    private long number;

    Reader(Segment segment) {
        this.stream = segment.read();
    }

    /**
     * Goes to a row.
     *
     * @param position no less than before, and less than the segment has rows
     * @return the row's number in {@link #batch()}
     */
    int moveTo(long position) {
        RecordBatch now = batch;
        while (now == null || position - first >= now.rowCount()) {
            now = next();
        }
        return (int) (position - first);
    }

    private RecordBatch next() {
        RecordBatch old = batch;
        batch = null;
        if (old != null) {
            first += old.rowCount();
            old.close();
        }
        if (stream.poll() instanceof Poll.Output<RecordBatch>(RecordBatch next)) {
            batch = next;
            number++;
            return next;
        }
        throw new IllegalStateException("a row beyond the segment's end");
    }

    RecordBatch batch() {
        RecordBatch now = batch;
        if (now == null) {
            throw new IllegalStateException("no row");
        }
        return now;
    }

    /** Differs from batch to batch. */
    long number() {
        return number;
    }

    /** A column that is in plain form. */
    FieldVector plain(int column) {
        if (batch().column(column) instanceof ColumnVector.Plain(FieldVector vector)) {
            return vector;
        }
        throw new IllegalStateException("column " + column + " has a dictionary");
    }

    @Override
    public void close() {
        RecordBatch old = batch;
        batch = null;
        if (old != null) {
            old.close();
        }
        stream.close();
    }
}
