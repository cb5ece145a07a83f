package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Gather;
import io.spillway.expression.Selection;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/** Some rows of a stream, by number. */
final class PickStream implements BatchStream {

    private final BatchStream input;
    private final long[] rows;
    private final int to;
    private final BufferAllocator allocator;
    private int next;
    private long position;

    /**
     * @param input rows from {@code rows[from]} on
     * @param rows ascending, of which {@code [from, to)} are wanted
     */
    PickStream(BatchStream input, long[] rows, int from, int to, BufferAllocator allocator) {
        this.input = input;
        this.rows = rows;
        this.next = from;
        this.to = to;
        this.allocator = allocator;
        this.position = rows[from];
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> answer = input.poll();
        if (!(answer instanceof Poll.Output<RecordBatch>(RecordBatch batch))) {
            return answer;
        }
        try (batch) {
            int[] picked = new int[batch.rowCount()];
            int count = 0;
            while (next < to && rows[next] - position < batch.rowCount()) {
                picked[count++] = (int) (rows[next++] - position);
            }
            position += batch.rowCount();
            return count == 0
                    ? Poll.again()
                    : Poll.output(
                            Gather.gather(
                                    batch, Selection.of(Arrays.copyOf(picked, count)), allocator));
        }
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
