package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryReservation;
import org.jspecify.annotations.Nullable;

/**
 * A stream that several readers pull. Its monitor makes them take turns: whoever holds it sees no
 * row passed that is neither kept nor its own.
 */
final class SharedCursor {

    private final BatchStream rows;
    private final long start;
    private final long to;

    // Written under the monitor.
    private volatile long next;
    private volatile boolean spent;

    /** Streams that use it; guarded by the {@link SharedRows} that it belongs to. */
    int users;

    /** Room for what it has ahead while nobody uses it, and when that began; guarded as above. */
    @Nullable MemoryReservation room;

    long idleSince;

    /**
     * Takes over a stream.
     *
     * @param from number of the stream's first row
     * @param to row after its last one
     */
    SharedCursor(BatchStream rows, long from, long to) {
        this.rows = rows;
        this.start = from;
        this.next = from;
        this.to = to;
    }

    /**
     * Whether a stream that needs a row does well to pull it.
     *
     * @param near how many rows before the row it may stand
     */
    boolean serves(long row, long near) {
        long ahead = row - next;
        return ahead >= 0 && ahead <= near && row < to && !spent;
    }

    /** Number of the row that came first. */
    long start() {
        return start;
    }

    /** Number of the row that comes next. */
    long position() {
        return next;
    }

    /** Whether it has come to the last row that it was opened for; there may be more behind it. */
    boolean isAtEnd() {
        return next >= to;
    }

    /** Whether it is good for nothing any more: it has failed, or has come to its end. */
    boolean isSpent() {
        return spent;
    }

    /**
     * One turn: a batch whose first row is the one at {@link #position} before. The caller holds
     * the monitor, and knows by {@link #serves} that no turn has failed yet.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    Poll<RecordBatch> pull() {
        Poll<RecordBatch> answer;
        try {
            answer = rows.poll();
        } catch (Throwable t) {
            // Others are to meet it by themselves, each at its own row.
            spent = true;
            throw t;
        }
        switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> next += batch.rowCount();
            case Poll.Finished<RecordBatch> _ -> spent = true;
            case Poll.Blocked<RecordBatch> _ -> {}
        }
        return answer;
    }

    synchronized void close() {
        rows.close();
    }
}
