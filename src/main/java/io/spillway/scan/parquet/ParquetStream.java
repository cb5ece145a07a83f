package io.spillway.scan.parquet;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.VectorPredicate;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.bytes.Failures;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.index.RowRanges;
import io.spillway.scan.parquet.pruning.RowSelection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one task.
 *
 * <pre>
 * idle ──poll──▶ opening ──▶ reading ──▶ finished
 *   ▲               │           │
 *   └────release────┴───────────┘        close: from everywhere
 * </pre>
 *
 * Opening (footer, file, check of its state) is done on a virtual thread. Whoever of the two comes
 * second, the thread that opened or the stream that no longer wants it, closes the file.
 */
final class ParquetStream implements ScanStream {

    /**
     * What opening gives.
     *
     * @param selection the rows that are to be read; none of them, perhaps
     */
    record Opened(OpenFile file, Footer footer, RowSelection selection) {}

    private final ScanTask task;
    private final @Nullable VectorPredicate tested;
    private final int batchRows;
    private final MemoryPool pool;
    private final ScanMetrics metrics;
    private final Function<ScanTask, Opened> opener;

    /** The next row to look at, within the row group. */
    private long row;

    /** The rows that the reader gives. */
    private RowRanges selected = RowRanges.none();

    /** Whether it has been told what was left out. */
    private boolean told;

    private @Nullable CompletableFuture<Opened> opening;
    private @Nullable RowGroupReader reader;
    private boolean closed;

    /**
     * @param tested a condition that is asked for in place of the task's one column
     * @param opener opens the task's file and reads its footer; waits
     */
    ParquetStream(
            ScanTask task,
            @Nullable VectorPredicate tested,
            int batchRows,
            MemoryPool pool,
            ScanMetrics metrics,
            Function<ScanTask, Opened> opener) {
        if (batchRows < 1) {
            throw new IllegalArgumentException("batches of " + batchRows + " rows");
        }
        this.task = task;
        this.tested = tested;
        this.batchRows = batchRows;
        this.pool = pool;
        this.metrics = metrics;
        this.opener = opener;
        this.row = task.fromRow();
    }

    @Override
    public RowSchema schema() {
        return tested == null ? task.columns() : ScanFormat.TRUTH;
    }

    /** {@inheritDoc} Rows that are left out next are only passed over once they are known. */
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
        RowGroupReader rows = reader;
        if (rows == null) {
            CompletableFuture<Opened> under = opening;
            if (under == null) {
                under = open();
                opening = under;
            }
            if (!under.isDone()) {
                return Poll.blocked(under);
            }
            opening = null;
            rows = read(under);
            if (rows == null) {
                row = task.toRow();
                return Poll.finished();
            }
            reader = rows;
        }
        int count = (int) Math.min(most(), selected.count(row, task.toRow()));
        RecordBatch batch = rows.read(count);
        if (batch == null) {
            return Poll.blocked(rows.waiting());
        }
        row = selected.next(selected.after(row, batch.rowCount()));
        if (row >= selected.to()) {
            row = task.toRow();
            drop();
        }
        return Poll.output(batch);
    }

    /** Rows of the next batch at most: fewer at first if some are wanted soon. */
    private int most() {
        int soon = task.soonRows();
        long given = row - task.fromRow();
        if (soon == 0 || soon >= batchRows || given >= batchRows) {
            return batchRows;
        }
        return (int) (given == 0 ? soon : batchRows - given);
    }

    private CompletableFuture<Opened> open() {
        CompletableFuture<Opened> answer = new CompletableFuture<>();
        ScanTask rest = rest();
        Thread.ofVirtual()
                .name("spillway-open-file")
                .start(
                        () -> {
                            try {
                                Opened result = opener.apply(rest);
                                if (!answer.complete(result)) {
                                    result.file().close();
                                }
                            } catch (Throwable t) {
                                answer.completeExceptionally(t);
                            }
                        });
        return answer;
    }

    /** What is left of the task; rows that were wanted soon have come out. */
    private ScanTask rest() {
        return row == task.fromRow() ? task : task.from(row);
    }

    /** A reader of the selected rows, or null if there are none. */
    private @Nullable RowGroupReader read(CompletableFuture<Opened> done) {
        Opened result;
        try {
            result = done.join();
        } catch (CompletionException e) {
            throw Failures.typed(e);
        }
        RowSelection selection = result.selection();
        if (!told) {
            told = true;
            selection.pruned().forEach(metrics::pruned);
        }
        selected = selection.rows();
        if (selected.isEmpty()) {
            result.file().close();
            return null;
        }
        return RowGroupReader.open(
                rest(), tested, result.footer(), selection, result.file(), pool, metrics);
    }

    /** {@inheritDoc} A batch under way is dropped and decoded again. */
    @Override
    public void release() {
        drop();
    }

    private void drop() {
        CompletableFuture<Opened> under = opening;
        if (under != null) {
            opening = null;
            if (!under.cancel(false) && !under.isCompletedExceptionally()) {
                under.join().file().close();
            }
        }
        RowGroupReader rows = reader;
        if (rows != null) {
            reader = null;
            rows.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        drop();
        if (tested != null) {
            tested.close();
        }
    }
}
