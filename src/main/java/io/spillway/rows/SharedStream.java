package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One reader's way through {@link SharedRows}. */
final class SharedStream implements BatchStream {

    private final SharedRows shared;
    private final Wanted wanted;
    private final ReadContext context;

    /** What is left of the range in hand. */
    private long next;

    private long to;
    private @Nullable SharedCursor cursor;

    /** A batch of which more may be wanted, and the number of its first row. */
    private @Nullable RecordBatch hand;

    private long handFirst;
    private boolean finished;

    SharedStream(SharedRows shared, Wanted wanted, ReadContext context) {
        this.shared = shared;
        this.wanted = wanted;
        this.context = context;
    }

    @Override
    public RowSchema schema() {
        return shared.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (finished || !hasRange()) {
            close();
            return Poll.finished();
        }
        if (isInHand()) {
            return give();
        }
        RecordBatch kept = shared.find(next);
        if (kept == null) {
            return pull();
        }
        take(kept, next);
        return give();
    }

    private boolean hasRange() {
        if (next >= to) {
            Wanted.Range range = wanted.next();
            if (range == null) {
                return false;
            }
            next = range.from();
            to = range.to();
        }
        return true;
    }

    private Poll<RecordBatch> pull() {
        SharedCursor from = cursor;
        if (from == null || from.position() != next || !from.serves(next, wanted.near())) {
            from = shared.use(from, next, wanted, context);
            cursor = from;
        }
        synchronized (from) {
            // Somebody else may have pulled meanwhile.
            RecordBatch kept = shared.find(next);
            if (kept != null) {
                take(kept, next);
                return give();
            }
            return from.serves(next, wanted.near()) ? pull(from) : Poll.again();
        }
    }

    /** Caller holds the cursor's monitor. */
    private Poll<RecordBatch> pull(SharedCursor from) {
        long first = from.position();
        return switch (from.pull()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                shared.keep(first, batch);
                take(batch, first);
                yield isInHand() ? give() : Poll.again();
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> Poll.blocked(until);
            case Poll.Finished<RecordBatch>() -> {
                if (from.isAtEnd()) {
                    // Only the cursor's end: it was opened by somebody who wanted no more.
                    yield Poll.again();
                }
                close();
                yield Poll.finished();
            }
        };
    }

    /** Takes over a batch in place of the one in hand. */
    private void take(RecordBatch batch, long first) {
        dropHand();
        hand = batch;
        handFirst = first;
    }

    private boolean isInHand() {
        RecordBatch batch = hand;
        return batch != null && next >= handFirst && next - handFirst < batch.rowCount();
    }

    /** Gives what is wanted next of the batch in hand, in which that is. */
    private Poll<RecordBatch> give() {
        RecordBatch batch = Objects.requireNonNull(hand);
        int from = (int) (next - handFirst);
        int rows = (int) Math.min(batch.rowCount() - from, to - next);
        next += rows;
        if (rows == batch.rowCount()) {
            hand = null;
            return Poll.output(batch);
        }
        RecordBatch slice = batch.slice(from, rows);
        if (from + rows == batch.rowCount()) {
            dropHand();
        }
        return Poll.output(slice);
    }

    private void dropHand() {
        RecordBatch batch = hand;
        hand = null;
        if (batch != null) {
            batch.close();
        }
    }

    @Override
    public void release() {
        dropHand();
        leave();
    }

    private void leave() {
        SharedCursor left = cursor;
        cursor = null;
        if (left != null) {
            shared.leave(left, context);
        }
    }

    @Override
    public void close() {
        finished = true;
        dropHand();
        leave();
    }
}
