package io.spillway.operator.join;

import io.spillway.batch.HeldBytes;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.expression.Compact;
import io.spillway.expression.Concat;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Puts small batches together: a join that few rows come out of would else give a few rows of each
 * block that it reads, and what collects them would keep all these blocks. Batches that are half as
 * large as they may be pass as they are.
 */
final class FullerBatches implements PollStream<RecordBatch> {

    private final PollStream<RecordBatch> input;
    private final BatchLimit size;
    private final BufferAllocator allocator;
    private final List<RecordBatch> small = new ArrayList<>();
    private int rows;
    private long bytes;

    /** Comes after the small ones. */
    private @Nullable RecordBatch next;

    /**
     * Takes over the input.
     *
     * @param size of the batches that come out, about
     */
    FullerBatches(PollStream<RecordBatch> input, BatchLimit size, BufferAllocator allocator) {
        this.input = input;
        this.size = size;
        this.allocator = allocator;
    }

    @Override
    public Poll<RecordBatch> poll() {
        RecordBatch waiting = next;
        if (waiting != null) {
            next = null;
            return Poll.output(waiting);
        }
        Poll<RecordBatch> answer = input.poll();
        return switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> add(batch);
            case Poll.Blocked<RecordBatch> _ -> answer;
            case Poll.Finished<RecordBatch> _ -> small.isEmpty() ? answer : together();
        };
    }

    private Poll<RecordBatch> add(RecordBatch batch) {
        if (isEnough(batch.rowCount(), batch.bytes())) {
            if (small.isEmpty()) {
                return Poll.output(batch);
            }
            next = batch;
            return together();
        }
        RecordBatch own = Compact.compact(batch, allocator);
        small.add(own);
        rows += own.rowCount();
        bytes += new HeldBytes().columns(own);
        return isEnough(rows, bytes) ? together() : Poll.again();
    }

    private boolean isEnough(int some, long their) {
        return some >= (size.rows() + 1) / 2 || their >= size.bytes() / 2;
    }

    private Poll<RecordBatch> together() {
        RecordBatch whole =
                small.size() == 1 ? small.removeFirst() : Concat.concat(small, allocator);
        dropSmall();
        return Poll.output(whole);
    }

    private void dropSmall() {
        small.forEach(RecordBatch::close);
        small.clear();
        rows = 0;
        bytes = 0;
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        dropSmall();
        RecordBatch waiting = next;
        next = null;
        if (waiting != null) {
            waiting.close();
        }
        input.close();
    }
}
