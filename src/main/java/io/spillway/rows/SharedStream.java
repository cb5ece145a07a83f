package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One reader's way through {@link SharedRows}. */
final class SharedStream implements BatchStream {

    private final SharedRows shared;
    private final long to;
    private final ReadContext context;
    private long next;
    private @Nullable SharedCursor cursor;
    private boolean finished;

    SharedStream(SharedRows shared, long from, long to, ReadContext context) {
        this.shared = shared;
        this.next = from;
        this.to = to;
        this.context = context;
    }

    @Override
    public RowSchema schema() {
        return shared.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (finished || next >= to) {
            close();
            return Poll.finished();
        }
        RecordBatch kept = shared.find(next);
        return kept == null ? pull() : give(kept, 0);
    }

    private Poll<RecordBatch> pull() {
        SharedCursor from = cursor;
        if (from == null || !from.serves(next, to)) {
            leave();
            from = shared.use(next, to, context);
            cursor = from;
        }
        synchronized (from) {
            // Somebody else may have pulled meanwhile.
            RecordBatch kept = shared.find(next);
            if (kept != null) {
                return give(kept, 0);
            }
            return from.serves(next, to) ? pull(from) : Poll.again();
        }
    }

    /** Caller holds the cursor's monitor. */
    private Poll<RecordBatch> pull(SharedCursor from) {
        long first = from.position();
        return switch (from.pull()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                shared.keep(first, batch);
                yield give(batch, next - first);
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> Poll.blocked(until);
            case Poll.Finished<RecordBatch>() -> {
                close();
                yield Poll.finished();
            }
        };
    }

    /**
     * Gives what is wanted of a batch, which is taken over.
     *
     * @param skip rows of it that come before the next one; maybe all
     */
    private Poll<RecordBatch> give(RecordBatch batch, long skip) {
        int count = batch.rowCount();
        int from = (int) Math.min(skip, count);
        int rows = (int) Math.min(count - from, to - next);
        next += rows;
        if (rows == count) {
            return Poll.output(batch);
        }
        try (batch) {
            return rows == 0 ? Poll.again() : Poll.output(batch.slice(from, rows));
        }
    }

    @Override
    public void release() {
        leave();
    }

    private void leave() {
        SharedCursor left = cursor;
        cursor = null;
        if (left != null) {
            shared.leave(left);
        }
    }

    @Override
    public void close() {
        finished = true;
        leave();
    }
}
