package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.List;

/** Streams one after the other. Each is closed when it has come to its end. */
final class ConcatStream implements BatchStream {

    private final RowSchema schema;
    private final List<BatchStream> inputs;
    private int number;

    /** Takes over the inputs, which have the schema. */
    ConcatStream(RowSchema schema, List<BatchStream> inputs) {
        this.schema = schema;
        this.inputs = List.copyOf(inputs);
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (number == inputs.size()) {
            return Poll.finished();
        }
        Poll<RecordBatch> answer = inputs.get(number).poll();
        if (answer instanceof Poll.Finished) {
            inputs.get(number++).close();
            return Poll.again();
        }
        return answer;
    }

    @Override
    public void release() {
        if (number < inputs.size()) {
            inputs.get(number).release();
        }
    }

    @Override
    public void close() {
        number = inputs.size();
        inputs.forEach(BatchStream::close);
    }
}
