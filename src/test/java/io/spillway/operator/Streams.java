package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.TestValues;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Streams of batches that are there already, and what streams give, as Java values. */
public final class Streams {

    private Streams() {}

    /** Gives the batches, which it owns from now on, with pauses between them. */
    public static BatchStream of(RowSchema schema, List<RecordBatch> batches) {
        Deque<RecordBatch> left = new ArrayDeque<>(batches);
        return new BatchStream() {

            private boolean pause = true;

            @Override
            public RowSchema schema() {
                return schema;
            }

            @Override
            public Poll<RecordBatch> poll() {
                if (left.isEmpty()) {
                    return Poll.finished();
                }
                pause = !pause;
                return pause ? Poll.again() : Poll.output(left.remove());
            }

            @Override
            public void close() {
                left.forEach(RecordBatch::close);
                left.clear();
            }
        };
    }

    /** A batch's rows. */
    public static List<List<@Nullable Object>> rows(RecordBatch batch) {
        List<List<@Nullable Object>> columns = new ArrayList<>();
        for (int i = 0; i < batch.schema().size(); i++) {
            columns.add(TestValues.values(batch.schema().column(i).type(), batch.column(i)));
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int r = 0; r < batch.rowCount(); r++) {
            List<@Nullable Object> row = new ArrayList<>();
            for (List<@Nullable Object> column : columns) {
                row.add(column.get(r));
            }
            rows.add(row);
        }
        return rows;
    }

    /** All batches of a stream, which the caller owns; the stream is closed. */
    public static List<RecordBatch> drain(BatchStream stream) {
        List<RecordBatch> batches = new ArrayList<>();
        try (stream) {
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> batches.add(batch);
                    case Poll.Blocked<RecordBatch> blocked -> blocked.until().join();
                    case Poll.Finished<RecordBatch> _ -> {
                        return batches;
                    }
                }
            }
        } catch (Throwable t) {
            batches.forEach(RecordBatch::close);
            throw t;
        }
    }
}
