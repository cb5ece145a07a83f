package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.LocalFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads files the way the engine does, and checks the streams' contract on the way. */
public final class Scans implements AutoCloseable {

    private static final long BUDGET = 1L << 30;

    final FileSystemAccess files;
    public final ParquetFormat format;
    final ScanMetrics metrics;
    public final MemoryPool pool;

    public Scans() {
        this(BUDGET);
    }

    /** With so many bytes of memory for buffers. */
    public Scans(long budget) {
        this(new LocalFiles(), ScanMetrics.NONE, budget);
    }

    public Scans(FileSystemAccess files, ScanMetrics metrics) {
        this(files, metrics, BUDGET);
    }

    private Scans(FileSystemAccess files, ScanMetrics metrics, long budget) {
        this.files = files;
        this.metrics = metrics;
        this.pool = MemoryPool.root(budget);
        this.format = new ParquetFormat(scheme -> files, 1 << 20, metrics);
    }

    FileStatus status(Path file) {
        return files.status(file.toUri().toString());
    }

    /** All columns and rows of a file. */
    public List<List<@Nullable String>> all(Path file, int batchRows) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        appendAll(file, batchRows, rows);
        return rows;
    }

    /** Appends all columns and rows of a file; the rows before a failure too. */
    void appendAll(Path file, int batchRows, List<List<@Nullable String>> rows) {
        FileStatus status = status(file);
        FileMetadata metadata = format.metadata(status);
        for (int p = 0; p < metadata.partitionRows().size(); p++) {
            long count = metadata.partitionRows().get(p);
            append(new ScanTask(status, p, 0, count, metadata.schema()), batchRows, rows);
        }
    }

    /** A task's rows; checks that no batch is empty or has more than {@code batchRows} rows. */
    public List<List<@Nullable String>> read(ScanTask task, int batchRows) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        append(task, batchRows, rows);
        return rows;
    }

    private void append(ScanTask task, int batchRows, List<List<@Nullable String>> rows) {
        long end = rows.size() + task.rows();
        try (BatchStream stream = format.open(task, batchRows, pool, metrics)) {
            while (append(stream, rows, (int) Math.min(batchRows, end - rows.size()))) {
                assertThat(rows.size()).isLessThanOrEqualTo((int) end);
            }
            assertThat(stream.poll()).isInstanceOf(Poll.Finished.class);
        }
        assertThat(rows).hasSize((int) end);
    }

    private static boolean append(
            BatchStream stream, List<List<@Nullable String>> rows, int mostRows) {
        try (RecordBatch batch = next(stream)) {
            if (batch == null) {
                return false;
            }
            assertThat(batch.rowCount()).isBetween(1, mostRows);
            Values.append(batch, rows);
            return true;
        }
    }

    /** A task's rows but those that its filter left out. */
    List<List<@Nullable String>> readFiltered(ScanTask task, int batchRows) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (BatchStream stream = format.open(task, batchRows, pool, metrics)) {
            while (append(stream, rows)) {
                assertThat(rows.size()).isLessThanOrEqualTo((int) task.rows());
            }
        }
        return rows;
    }

    private static boolean append(BatchStream stream, List<List<@Nullable String>> rows) {
        try (RecordBatch batch = next(stream)) {
            if (batch != null) {
                Values.append(batch, rows);
            }
            return batch != null;
        }
    }

    public ScanTask task(Path file, int partition) {
        FileStatus status = status(file);
        FileMetadata metadata = format.metadata(status);
        return new ScanTask(
                status, partition, 0, metadata.partitionRows().get(partition), metadata.schema());
    }

    static ScanTask rows(ScanTask task, long from, long to) {
        return new ScanTask(task.file(), task.partition(), from, to, task.columns());
    }

    public static ScanTask columns(ScanTask task, String... names) {
        RowSchema all = task.columns();
        return new ScanTask(
                task.file(),
                task.partition(),
                task.fromRow(),
                task.toRow(),
                new RowSchema(
                        List.of(names).stream().map(n -> all.column(all.indexOf(n))).toList()));
    }

    /** The next batch, or null at the end; waits for what the stream waits for. */
    public static @Nullable RecordBatch next(BatchStream stream) {
        while (true) {
            switch (stream.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    return batch;
                }
                case Poll.Finished<RecordBatch> _ -> {
                    return null;
                }
                case Poll.Blocked<RecordBatch>(var until) ->
                        until.handle((_, _) -> true).orTimeout(30, TimeUnit.SECONDS).join();
            }
        }
    }

    /** Fails if a buffer is not freed; waits a moment for reads that were given up. */
    @Override
    public void close() {
        closeOnceFree(pool);
    }

    /** Reads that were given up free their buffers when they end, which must be before the pool. */
    public static void closeOnceFree(MemoryPool pool) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (pool.held() > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        pool.close();
    }
}
