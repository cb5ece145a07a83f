package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * All right rows for a join that goes on by way of the disk: those that a table has, then those of
 * the input; with their numbers, if these matter.
 */
final class RightRest implements PollStream<RecordBatch> {

    private final JoinLayout layout;
    private final RowSchema schema;
    private final RightTable table;
    private final @Nullable BatchStream input;
    private final BufferAllocator allocator;
    private @Nullable RecordBatch next;
    private long row;

    /**
     * Takes over all but the layout.
     *
     * @param next for which the table had no memory; null if there is none
     * @param input null if it has come to its end
     */
    RightRest(
            JoinLayout layout,
            RightTable table,
            @Nullable RecordBatch next,
            @Nullable BatchStream input,
            BufferAllocator allocator) {
        this.layout = layout;
        this.schema = RowTags.before(layout.right());
        this.table = table;
        this.next = next;
        this.input = input;
        this.allocator = allocator;
    }

    @Override
    public Poll<RecordBatch> poll() {
        RecordBatch stored = table.rows().remove();
        if (stored != null) {
            return tagged(stored);
        }
        RecordBatch now = next;
        next = null;
        if (now != null) {
            return tagged(now);
        }
        if (input == null) {
            return Poll.finished();
        }
        Poll<RecordBatch> answer = input.poll();
        return switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> tagged(layout.kept(batch));
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> _) -> answer;
            case Poll.Finished<RecordBatch>() -> answer;
        };
    }

    private Poll<RecordBatch> tagged(RecordBatch batch) {
        if (!layout.type().keepsRight()) {
            return Poll.output(batch);
        }
        long first = row;
        RowMarks marks = table.marks();
        try {
            RecordBatch tagged =
                    RowTags.tag(
                            batch,
                            schema,
                            i -> marks.get(first + i) ? RowTags.MATCHED : first + i,
                            allocator);
            row += tagged.rowCount();
            return Poll.output(tagged);
        } catch (Throwable t) {
            batch.close();
            throw t;
        }
    }

    @Override
    public void release() {
        if (input != null) {
            input.release();
        }
    }

    @Override
    public void close() {
        table.close();
        RecordBatch now = next;
        next = null;
        if (now != null) {
            now.close();
        }
        if (input != null) {
            input.close();
        }
    }
}
