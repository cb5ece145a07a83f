package io.spillway.export;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.execution.PartitionTask;
import io.spillway.job.JobBatches;
import io.spillway.plan.document.ExportRequest;
import io.spillway.sink.parquet.ParquetSink;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Writes a job's rows to hidden files: takes a batch a turn and encodes it, and lets others wait
 * for the file system.
 *
 * <pre>
 *   turn: batch ─▶ pages … row group full ─▶ sealed      where waiting is allowed: flushed ─▶ file
 *                                              │                                       │
 *                                              └─────── blocked until it is written ◀──┘
 * </pre>
 */
final class ExportTask implements PartitionTask {

    /** A file that has so many of its bytes is not begun another row group of. */
    private static final double NEARLY_FULL = 0.75;

    private final JobBatches batches;
    private final ParquetSink sink;
    private final ExportTarget target;
    private final Executor waiting;
    private final long maxFileRows;
    private final long maxFileBytes;
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private volatile long rows;
    private volatile long bytes;

    private @Nullable RecordBatch batch;
    private int at;
    private long fileRows;
    private boolean fileOpen;
    private boolean exhausted;
    private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null);
    private Throwable failure = new CancellationException();

    /**
     * Takes over batches and sink.
     *
     * @param waiting runs what waits for the file system
     */
    ExportTask(
            JobBatches batches,
            ParquetSink sink,
            ExportTarget target,
            ExportRequest request,
            Executor waiting) {
        this.batches = batches;
        this.sink = sink;
        this.target = target;
        this.waiting = waiting;
        this.maxFileRows = request.maxFileRows() == null ? Long.MAX_VALUE : request.maxFileRows();
        this.maxFileBytes =
                request.maxFileBytes() == null ? Long.MAX_VALUE : request.maxFileBytes();
    }

    /**
     * Done, where waiting is allowed, once all rows are in files that can be made visible; or with
     * what went wrong, a {@link CancellationException} if the task was only canceled. By then
     * nothing of it is under way, and all its memory is free.
     */
    CompletableFuture<Void> written() {
        return written;
    }

    /** Rows so far. */
    long rows() {
        return rows;
    }

    /** Bytes so far. */
    long bytes() {
        return bytes;
    }

    @Override
    public Turn run() {
        if (!writing.isDone()) {
            return new Turn.Blocked(writing);
        }
        writing.join();
        if (exhausted) {
            return Turn.DONE;
        }
        if (sink.isFull() || fileRows == maxFileRows) {
            return writing(this::flush);
        }
        if (batch != null) {
            write(batch);
            return Turn.AGAIN;
        }
        return switch (batches.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch next) -> {
                batch = next;
                at = 0;
                write(next);
                yield Turn.AGAIN;
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> new Turn.Blocked(until);
            case Poll.Finished<RecordBatch>() -> {
                exhausted = true;
                yield writing(this::end);
            }
        };
    }

    private void write(RecordBatch from) {
        int to = at + (int) Math.min(from.rowCount() - at, maxFileRows - fileRows);
        int end;
        try {
            end = sink.write(from, at, to);
        } catch (SpillwayException e) {
            throw e.context().get(SpillwayException.ROW) instanceof Number row
                    ? e.movedTo(
                            SpillwayException.ROW,
                            batches.position() - from.rowCount() + row.longValue())
                    : e;
        }
        fileRows += end - at;
        rows = rows + end - at;
        at = end;
        if (at == from.rowCount()) {
            batch = null;
            from.close();
        }
    }

    /** Ends the row group, and has it written elsewhere. */
    private Turn writing(Runnable how) {
        sink.seal();
        writing = CompletableFuture.runAsync(how, waiting);
        return new Turn.Blocked(writing);
    }

    private void flush() {
        if (!fileOpen) {
            sink.open(target.begin());
            fileOpen = true;
        }
        sink.flush();
        count();
        if (fileRows == maxFileRows || sink.fileSize() >= maxFileBytes * NEARLY_FULL) {
            endFile();
        }
    }

    private void end() {
        if (sink.hasRows() || (!fileOpen && target.ended().isEmpty())) {
            flush();
        }
        if (fileOpen) {
            endFile();
        }
    }

    private void endFile() {
        sink.finish();
        target.end(fileRows);
        fileOpen = false;
        fileRows = 0;
        count();
    }

    private void count() {
        bytes =
                target.ended().stream().mapToLong(ExportedFile::bytes).sum()
                        + (fileOpen ? sink.fileSize() : 0);
    }

    /** Nothing: what it waits for, or has made, cannot be made again cheaply. */
    @Override
    public void idle() {}

    @Override
    public void failed(Throwable cause) {
        failure = Failures.asSpillway(cause);
    }

    @Override
    public void close() {
        RecordBatch open = batch;
        batch = null;
        if (open != null) {
            open.close();
        }
        batches.close();
        boolean whole = exhausted && writing.isDone() && !writing.isCompletedExceptionally();
        // What is being written now uses the sink's memory.
        var _ = writing.handleAsync((done, thrown) -> ended(whole), waiting);
    }

    private @Nullable Void ended(boolean whole) {
        try {
            sink.close();
        } finally {
            if (whole && failure instanceof CancellationException) {
                written.complete(null);
            } else {
                written.completeExceptionally(
                        failure instanceof CompletionException e && e.getCause() != null
                                ? e.getCause()
                                : failure);
            }
        }
        return null;
    }
}
