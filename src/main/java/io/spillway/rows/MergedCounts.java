package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Batches that have no columns, many put together: what is left of them is a number, which is not
 * worth a turn of whoever takes it. A turn pulls for as long as a batch of many columns may take.
 */
final class MergedCounts implements BatchStream {

    private static final long TURN_NANOS = 500_000;

    private static final int MOST_ROWS = 1 << 20;

    private final BatchStream input;

    /** Rows that have come and are not told yet. */
    private int rows;

    /**
     * @param input without columns; taken over
     */
    MergedCounts(BatchStream input) {
        this.input = input;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        long start = System.nanoTime();
        do {
            switch (input.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    rows = Math.addExact(rows, batch.rowCount());
                    batch.close();
                }
                case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                    if (!until.isDone()) {
                        return Poll.blocked(until);
                    }
                }
                case Poll.Finished<RecordBatch>() -> {
                    return rows > 0 ? merged() : Poll.finished();
                }
            }
        } while (rows < MOST_ROWS && System.nanoTime() - start < TURN_NANOS);
        return rows > 0 ? merged() : Poll.again();
    }

    private Poll<RecordBatch> merged() {
        int count = rows;
        rows = 0;
        return Poll.output(new RecordBatch(schema(), List.of(), count));
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
