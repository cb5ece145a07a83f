package io.spillway.scan.text;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.PartitionRange;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.bytes.Failures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one task: those of its partition before it are passed over, and a batch ends where a
 * window of text does.
 *
 * <pre>
 * idle ──poll──▶ opening ──▶ reading ──▶ finished
 *   ▲               │           │
 *   └────release────┴───────────┘        close: from everywhere
 * </pre>
 *
 * A stream that was released goes on where it was; in a compressed text it has to begin again.
 */
final class TextStream implements ScanStream {

    /**
     * A place between two records.
     *
     * @param row of the partition
     * @param offset in the file
     * @param line 1-based number of the line that begins there
     */
    record Position(long row, long offset, long line) {}

    /**
     * What opening gives.
     *
     * @param start where the text begins
     * @param dropped bytes in front of its first record
     */
    record Opened(Windows windows, RecordReader reader, Position start, int dropped) {

        void close() {
            reader.close();
            windows.close();
        }
    }

    private final ScanTask task;
    private final int batchRows;
    private final Function<Position, Opened> opener;

    /** The row that comes out next. */
    private long row;

    /** Where reading can go on after a release. */
    private Position position;

    private @Nullable CompletableFuture<Opened> opening;
    private @Nullable Reading reading;
    private boolean closed;

    /** An open text. */
    private final class Reading {

        private final Opened opened;

        /** The next record, by row of the partition and address. */
        private long row;

        private long at;

        /** A line that begins at an address. */
        private long line;

        private long lineAt;

        /** Bytes of the text, from where it was opened, in front of the window. */
        private long passed;

        private long dropped;
        private boolean exhausted = true;

        Reading(Opened opened) {
            this.opened = opened;
            this.row = opened.start().row();
            this.line = opened.start().line();
            this.dropped = opened.dropped();
        }

        /** Goes on to the next window; false if it is not there yet. */
        boolean advance() {
            Windows windows = opened.windows();
            windows.readAhead();
            if (!windows.waiting().isDone()) {
                return false;
            }
            line += Swar.count(lineAt, at, (byte) '\n');
            lineAt = at;
            passed += at - windows.from();
            windows.advance(at);
            at = windows.from();
            if (dropped > 0) {
                long there = Math.min(dropped, windows.to() - at);
                dropped -= there;
                at += there;
            }
            lineAt = at;
            exhausted = false;
            return true;
        }

        Position position() {
            return new Position(
                    row,
                    opened.start().offset() + passed + (at - opened.windows().from()),
                    line + Swar.count(lineAt, at, (byte) '\n'));
        }

        SpillwayException failure(TextFault fault) {
            return TextFailures.of(fault, task.file().uri(), line, lineAt);
        }
    }

    TextStream(
            ScanTask task, PartitionRange range, int batchRows, Function<Position, Opened> opener) {
        if (batchRows < 1) {
            throw new IllegalArgumentException("batches of " + batchRows + " rows");
        }
        this.task = task;
        this.batchRows = batchRows;
        this.opener = opener;
        this.row = task.fromRow();
        this.position = new Position(0, range.offset(), range.line());
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
        Reading now = reading;
        if (now == null) {
            CompletableFuture<Opened> under = opening;
            if (under == null) {
                under = open();
                opening = under;
            }
            if (!under.isDone()) {
                return Poll.blocked(under);
            }
            opening = null;
            try {
                now = new Reading(under.join());
            } catch (CompletionException e) {
                throw Failures.typed(e);
            }
            reading = now;
        }
        try {
            return read(now);
        } catch (TextFault fault) {
            throw now.failure(fault);
        }
    }

    private Poll<RecordBatch> read(Reading now) {
        if (task.columns().size() == 0) {
            return unread();
        }
        Windows windows = now.opened.windows();
        RecordReader reader = now.opened.reader();
        if (row > task.fromRow()) {
            windows.readAhead();
        }
        while (true) {
            if (now.exhausted || now.dropped > 0) {
                if (windows.last()) {
                    throw tooFew(now);
                }
                if (!now.advance()) {
                    return Poll.blocked(windows.waiting());
                }
            }
            if (now.row < row) {
                now.row += reader.skip(now.at, windows.to(), windows.last(), row - now.row);
                now.at = reader.next();
                if (now.row < row) {
                    now.exhausted = true;
                    windows.readAhead();
                    return Poll.again();
                }
            }
            int found = reader.find(now.at, windows.to(), windows.last(), most());
            if (found > 0) {
                RecordBatch batch = reader.decode();
                now.row += found;
                now.at = reader.next();
                row += found;
                if (row >= task.toRow()) {
                    drop();
                }
                return Poll.output(batch);
            }
            now.at = reader.next();
            now.exhausted = true;
        }
    }

    /** Rows without columns: that the file is still there is known by now. */
    private Poll<RecordBatch> unread() {
        int rows = most();
        row += rows;
        if (row >= task.toRow()) {
            drop();
        }
        return Poll.output(new RecordBatch(task.columns(), List.of(), rows));
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

    /** The survey has counted the rows, so the file is another one. */
    private SpillwayException tooFew(Reading now) {
        return new SpillwayException(
                        ErrorCode.SOURCE_CHANGED,
                        "'%s' has changed since it was pinned: a partition has %,d rows, not %,d"
                                .formatted(task.file().uri(), now.row, task.toRow()))
                .with(SpillwayException.FILE, task.file().uri());
    }

    private CompletableFuture<Opened> open() {
        CompletableFuture<Opened> answer = new CompletableFuture<>();
        Position from = position;
        Thread.ofVirtual()
                .name("spillway-open-file")
                .start(
                        () -> {
                            try {
                                Opened result = opener.apply(from);
                                if (!answer.complete(result)) {
                                    result.close();
                                }
                            } catch (Throwable t) {
                                answer.completeExceptionally(t);
                            }
                        });
        return answer;
    }

    /** {@inheritDoc} */
    @Override
    public void release() {
        Reading now = reading;
        if (now != null && now.row <= row && !now.exhausted) {
            position = now.position();
        }
        drop();
    }

    private void drop() {
        CompletableFuture<Opened> under = opening;
        if (under != null) {
            opening = null;
            if (!under.cancel(false) && !under.isCompletedExceptionally()) {
                under.join().close();
            }
        }
        Reading now = reading;
        if (now != null) {
            reading = null;
            now.opened.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        drop();
    }
}
