package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The rows of a stream as far as they make whole groups of so many; those behind are left out.
 * Holds batches back until their groups are whole, which is fewer rows than a group has and a
 * batch, and cuts none but the last one.
 */
final class WholeBatches implements BatchStream {

    private final BatchStream input;
    private final int size;
    private final Queue<RecordBatch> held = new ArrayDeque<>();
    private long seen;
    private long given;

    /**
     * @param size rows of a group
     */
    WholeBatches(BatchStream input, int size) {
        this.input = input;
        this.size = size;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        RecordBatch next = held.peek();
        if (next != null && next.rowCount() <= left()) {
            given += next.rowCount();
            return Poll.output(held.remove());
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                held.add(batch);
                seen += batch.rowCount();
                yield Poll.again();
            }
            case Poll.Blocked<RecordBatch> blocked -> blocked;
            case Poll.Finished<RecordBatch> finished ->
                    next == null || left() == 0 ? finished : Poll.output(cut(next));
        };
    }

    /** Rows of whole groups that have not been given. */
    private long left() {
        return seen - seen % size - given;
    }

    /** The last rows that are given; their batch stays held. */
    private RecordBatch cut(RecordBatch last) {
        int count = (int) left();
        given += count;
        return last.slice(0, count);
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        held.forEach(RecordBatch::close);
        held.clear();
        input.close();
    }
}
