package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/** Left rows with their numbers before their columns. */
final class NumberedLeft implements PollStream<RecordBatch> {

    private final BatchStream input;
    private final RowSchema schema;
    private final BufferAllocator allocator;
    private long row;

    /**
     * Takes over the input.
     *
     * @param schema numbers, then the input's columns
     */
    NumberedLeft(RowSchema schema, BatchStream input, BufferAllocator allocator) {
        this.input = input;
        this.schema = schema;
        this.allocator = allocator;
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> answer = input.poll();
        return switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                long first = row;
                row += batch.rowCount();
                try {
                    yield Poll.output(RowTags.tag(batch, schema, i -> first + i, allocator));
                } catch (Throwable t) {
                    batch.close();
                    throw t;
                }
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> _) -> answer;
            case Poll.Finished<RecordBatch>() -> answer;
        };
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
