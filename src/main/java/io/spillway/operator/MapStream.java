package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.function.UnaryOperator;

/** Batch in, batch out. */
final class MapStream implements BatchStream {

    private final BatchStream input;
    private final RowSchema schema;
    private final UnaryOperator<RecordBatch> step;
    private final Runnable forget;

    /**
     * @param step makes a new batch from one that stays its owner's
     * @param forget frees what the step keeps from batch to batch; may be called at any time
     *     between batches, any number of times
     */
    MapStream(
            BatchStream input, RowSchema schema, UnaryOperator<RecordBatch> step, Runnable forget) {
        this.input = input;
        this.schema = schema;
        this.step = step;
        this.forget = forget;
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> in = input.poll();
        if (!(in instanceof Poll.Output<RecordBatch>(RecordBatch batch))) {
            return in;
        }
        try (batch) {
            return Poll.output(step.apply(batch));
        }
    }

    @Override
    public void release() {
        forget.run();
        input.release();
    }

    @Override
    public void close() {
        forget.run();
        input.close();
    }
}
