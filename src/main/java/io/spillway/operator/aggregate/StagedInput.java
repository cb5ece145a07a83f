package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import org.jspecify.annotations.Nullable;

/** Rows on disk, which each reader reads on its own. */
final class StagedInput implements BranchInput {

    private final StagedStream rows;

    /**
     * @param rows taken over; written before a reader reads
     */
    StagedInput(StagedStream rows) {
        this.rows = rows;
    }

    @Override
    public BatchStream reader(CallInput columns) {
        return new Reader(columns);
    }

    @Override
    public void close() {
        rows.close();
    }

    private final class Reader implements BatchStream {

        private final CallInput columns;
        private @Nullable BatchStream stream;

        Reader(CallInput columns) {
            this.columns = columns;
        }

        @Override
        public RowSchema schema() {
            return columns.schema();
        }

        @Override
        public Poll<RecordBatch> poll() {
            BatchStream open = stream;
            if (open == null) {
                open = rows.read();
                stream = open;
            }
            Poll<RecordBatch> in = open.poll();
            if (in instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                try (batch) {
                    return Poll.output(columns.narrowed(batch));
                }
            }
            return in;
        }

        @Override
        public void release() {
            if (stream != null) {
                stream.release();
            }
        }

        @Override
        public void close() {
            if (stream != null) {
                stream.close();
            }
        }
    }
}
