package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;

/**
 * A stream that several readers pull. Its monitor makes them take turns: whoever holds it sees no
 * row passed that is neither kept nor its own.
 */
final class SharedCursor {

    private final BatchStream rows;
    private final long to;
    private final long near;

    // Written under the monitor.
    private volatile long next;
    private volatile boolean broken;

    /** Streams that use it; guarded by the {@link SharedRows} that it belongs to. */
    int users;

    /**
     * Takes over a stream.
     *
     * @param from number of the stream's first row
     * @param to row after its last one
     * @param near how many rows before a row it may stand so that reading on is better than
     *     beginning there
     */
    SharedCursor(BatchStream rows, long from, long to, long near) {
        this.rows = rows;
        this.next = from;
        this.to = to;
        this.near = near;
    }

    /** Whether a stream that needs a row, and rows up to another one, does well to pull it. */
    boolean serves(long row, long last) {
        long ahead = row - next;
        return ahead >= 0 && ahead <= near && last <= to && !broken;
    }

    /** Number of the row that comes next. */
    long position() {
        return next;
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
            broken = true;
            throw t;
        }
        if (answer instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
            next += batch.rowCount();
        }
        return answer;
    }

    synchronized void close() {
        rows.close();
    }
}
