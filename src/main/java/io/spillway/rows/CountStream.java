package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.operator.ColumnSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source without any columns, from what is known of it on, until it knows enough: reading
 * is what it learns by.
 */
final class CountStream implements PollStream<CountProgress> {

    /** While one partition of few columns waits for its bytes, a thread counts in another. */
    private static final int OPEN_PER_THREAD = 2;

    /** Of large batches the few columns that are read still take little. */
    private static final int TIMES_THE_ROWS = 4;

    private final RowSource source;
    private final long upTo;
    private final ReadContext context;
    private @Nullable BatchStream rows;
    private @Nullable CountProgress told;
    private boolean finished;

    CountStream(RowSource source, long upTo, ReadContext context) {
        this.source = source;
        this.upTo = upTo;
        this.context = context;
    }

    @Override
    public Poll<CountProgress> poll() {
        if (finished) {
            return Poll.finished();
        }
        if (source.reaches(upTo)) {
            return finish();
        }
        if (rows == null) {
            rows =
                    source.narrowed(ColumnSet.none())
                            .open(source.rowsPlaced(), Long.MAX_VALUE, reading());
        }
        return switch (rows.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                batch.close();
                yield progress();
            }
            case Poll.Blocked<RecordBatch>(var until) -> Poll.blocked(until);
            case Poll.Finished<RecordBatch>() -> finish();
        };
    }

    /** Where the count stops midway, partitions behind that place had better not be open. */
    private ReadContext reading() {
        ReadContext reading = context.withEnding(Ending.STOP);
        return upTo == Long.MAX_VALUE
                ? reading.forCounting(OPEN_PER_THREAD, TIMES_THE_ROWS)
                : reading;
    }

    private Poll<CountProgress> progress() {
        CountProgress now = new CountProgress(source.rowsPlaced(), source.partitionsCounted());
        if (now.equals(told)) {
            return Poll.again();
        }
        told = now;
        return Poll.output(now);
    }

    private Poll<CountProgress> finish() {
        close();
        Poll<CountProgress> last = progress();
        return last instanceof Poll.Blocked ? Poll.finished() : last;
    }

    @Override
    public void release() {
        if (rows != null) {
            rows.release();
        }
    }

    @Override
    public void close() {
        finished = true;
        BatchStream open = rows;
        rows = null;
        if (open != null) {
            open.close();
        }
    }
}
