package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Compact;
import org.apache.arrow.memory.BufferAllocator;

/** The batches of a stream for somebody who collects them: none holds much more than it takes. */
final class CompactStream implements BatchStream {

    private final BatchStream input;
    private final BufferAllocator allocator;

    CompactStream(BatchStream input, BufferAllocator allocator) {
        this.input = input;
        this.allocator = allocator;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> answer = input.poll();
        return answer instanceof Poll.Output<RecordBatch>(RecordBatch batch)
                ? Poll.output(Compact.compact(batch, allocator))
                : answer;
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
