package io.spillway.scan.arrow;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.bytes.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one task. Windows are read on virtual threads, one at a time; the next one while the
 * one before is taken apart.
 *
 * <pre>
 * idle ──poll──▶ opening ──▶ reading ──▶ finished
 *   ▲               │           │
 *   └────release────┴───────────┘        close: from everywhere
 * </pre>
 */
final class ArrowStream implements ScanStream {

    /** An open file, or one that is being opened, and the window that is read or being read. */
    private static final class Source {

        private final Supplier<RunReader> opener;
        private @Nullable RunReader reader;
        private boolean closed;

        Source(Supplier<RunReader> opener) {
            this.opener = opener;
        }

        /** Reads on a virtual thread. */
        CompletableFuture<RunReader.Rows> read(long row) {
            CompletableFuture<RunReader.Rows> answer = new CompletableFuture<>();
            Thread.ofVirtual()
                    .name("spillway-read")
                    .start(
                            () -> {
                                try {
                                    answer.complete(open().read(row));
                                } catch (Throwable t) {
                                    answer.completeExceptionally(t);
                                }
                            });
            return answer;
        }

        private RunReader open() {
            synchronized (this) {
                if (reader != null) {
                    return reader;
                }
            }
            RunReader opened = opener.get();
            synchronized (this) {
                reader = opened;
                if (closed) {
                    opened.abandon();
                }
            }
            return opened;
        }

        /** Makes reads fail. */
        synchronized void abandon() {
            closed = true;
            if (reader != null) {
                reader.abandon();
            }
        }

        synchronized void close() {
            if (reader != null) {
                reader.close();
            }
        }
    }

    private final ScanTask task;
    private final int batchRows;
    private final Supplier<RunReader> opener;

    /** The row that comes out next. */
    private long row;

    private @Nullable Source source;
    private @Nullable CompletableFuture<RunReader.Rows> reading;
    private RunReader.@Nullable Rows rows;
    private boolean closed;

    /**
     * @param opener opens the task's file; waits
     */
    ArrowStream(ScanTask task, int batchRows, Supplier<RunReader> opener) {
        if (batchRows < 1) {
            throw new IllegalArgumentException("batches of " + batchRows + " rows");
        }
        this.task = task;
        this.batchRows = batchRows;
        this.opener = opener;
        this.row = task.fromRow();
    }

    @Override
    public RowSchema schema() {
        return task.columns();
    }

    @Override
    public long position() {
        return row;
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (closed) {
            throw new IllegalStateException("stream is closed");
        }
        if (row >= task.toRow()) {
            return Poll.finished();
        }
        RunReader.Rows now = rows;
        if (now == null) {
            CompletableFuture<RunReader.Rows> under = reading;
            if (under == null) {
                under = read(row);
            }
            if (!under.isDone()) {
                return Poll.blocked(under);
            }
            reading = null;
            try {
                now = under.join();
            } catch (CompletionException e) {
                throw Failures.typed(e);
            }
            rows = now;
        }
        if (row > task.fromRow()) {
            readAhead(now);
        }
        RecordBatch batch = RowsOfBatch.take(task.columns(), now, row, most());
        row += batch.rowCount();
        if (row >= task.toRow()) {
            drop();
        } else if (row >= now.end()) {
            rows = null;
            now.close();
        }
        return Poll.output(batch);
    }

    /** Rows of the next batch at most: fewer at first if some are wanted soon. */
    private int most() {
        int soon = task.soonRows();
        long given = row - task.fromRow();
        long most = batchRows;
        if (soon > 0 && soon < batchRows && given < batchRows) {
            most = given == 0 ? soon : batchRows - given;
        }
        return (int) Math.min(most, task.toRow() - row);
    }

    private CompletableFuture<RunReader.Rows> read(long from) {
        Source there = source;
        if (there == null) {
            there = new Source(opener);
            source = there;
        }
        CompletableFuture<RunReader.Rows> answer = there.read(from);
        reading = answer;
        return answer;
    }

    /** Reads the next window unless two of them are too much. */
    private void readAhead(RunReader.Rows now) {
        if (reading == null && now.end() < task.toRow() && now.isSmall()) {
            var _ = read(now.end());
        }
    }

    /** {@inheritDoc} What was read is dropped and read again. */
    @Override
    public void release() {
        drop();
    }

    private void drop() {
        RunReader.Rows now = rows;
        if (now != null) {
            rows = null;
            now.close();
        }
        Source there = source;
        if (there == null) {
            return;
        }
        source = null;
        CompletableFuture<RunReader.Rows> under = reading;
        reading = null;
        if (under == null) {
            there.close();
            return;
        }
        there.abandon();
        var _ =
                under.whenComplete(
                        (result, failure) -> {
                            if (result != null) {
                                result.close();
                            }
                            there.close();
                        });
    }

    @Override
    public void close() {
        closed = true;
        drop();
    }
}
