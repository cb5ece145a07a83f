package io.spillway.operator.join;

import io.spillway.batch.OffHeap;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where somebody is among matches that come by the numbers of their left rows. */
final class MatchCursor implements AutoCloseable {

    private final PollStream<RecordBatch> matches;
    private @Nullable RecordBatch batch;
    private long numbers;
    private int row;
    private boolean ended;

    /** Takes over the matches: numbers, then columns. */
    MatchCursor(PollStream<RecordBatch> matches) {
        this.matches = matches;
    }

    /**
     * Goes on to the next match, if it is not at one.
     *
     * @return false if that takes more turns
     */
    boolean load() {
        RecordBatch now = batch;
        if (ended || (now != null && row < now.rowCount())) {
            return true;
        }
        drop();
        return switch (matches.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch next) -> {
                batch = next;
                numbers = RowTags.address(next);
                row = 0;
                yield next.rowCount() > 0;
            }
            case Poll.Blocked<RecordBatch> _ -> false;
            case Poll.Finished<RecordBatch> _ -> {
                ended = true;
                yield true;
            }
        };
    }

    /** Whether there are no more matches. */
    boolean isEnded() {
        return ended;
    }

    /** The batch that the next match is in. */
    RecordBatch batch() {
        return Objects.requireNonNull(batch);
    }

    /** The next match's row in the batch. */
    int row() {
        return row;
    }

    /** The left row of a match of the batch. */
    long number(int at) {
        return OffHeap.getLong(numbers + (long) Long.BYTES * at);
    }

    /** The matches before a row are done. */
    void moveTo(int next) {
        row = next;
    }

    private void drop() {
        RecordBatch last = batch;
        batch = null;
        if (last != null) {
            last.close();
        }
    }

    @Override
    public void close() {
        ended = true;
        drop();
        matches.close();
    }
}
