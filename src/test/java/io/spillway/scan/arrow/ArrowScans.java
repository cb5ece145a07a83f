package io.spillway.scan.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.Values;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.LocalFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads Arrow files the way the engine does, and checks the streams' contract on the way. */
public final class ArrowScans implements AutoCloseable {

    private static final long BUDGET = 256L << 20;

    private final FileSystemAccess files;
    final ArrowFormat format;
    final MemoryPool pool;

    public ArrowScans() {
        this(BUDGET);
    }

    /** With so many bytes of memory for buffers. */
    public ArrowScans(long budget) {
        this(new LocalFiles(), budget);
    }

    /** Over a file system. */
    ArrowScans(FileSystemAccess files, long budget) {
        this.files = files;
        this.format = new ArrowFormat(scheme -> files, 1 << 20, ScanMetrics.NONE);
        this.pool = MemoryPool.root(budget);
    }

    public FileStatus status(Path file) {
        return files.status(file.toUri().toString());
    }

    RowSchema schema(FileStatus file) {
        return format.metadata(file).schema();
    }

    /** All columns and rows of a file, partition by partition. */
    public List<List<@Nullable String>> rows(Path file, int batchRows) {
        FileStatus status = status(file);
        return rows(status, schema(status), batchRows);
    }

    /** All rows of a file, with these columns. */
    List<List<@Nullable String>> rows(FileStatus file, RowSchema columns, int batchRows) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (ScanTask task : tasks(file, columns)) {
            rows.addAll(read(task, batchRows));
        }
        return rows;
    }

    /** One task a partition. */
    List<ScanTask> tasks(FileStatus file, RowSchema columns) {
        FileMetadata metadata = format.metadata(file);
        List<ScanTask> tasks = new ArrayList<>();
        for (int i = 0; i < metadata.partitionRows().size(); i++) {
            tasks.add(new ScanTask(file, i, 0, metadata.partitionRows().get(i), columns));
        }
        return tasks;
    }

    /**
     * A task's rows; checks that the memory is no more than was estimated, unless the file tells
     * only when it is read how large it is.
     */
    List<List<@Nullable String>> read(ScanTask task, int batchRows) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        long estimate =
                task.file().uri().matches(".*(lz4|zstd).*")
                        ? pool.limit()
                        : format.estimateBytes(task, batchRows);
        try (ScanStream stream = open(task, batchRows)) {
            assertThat(stream.position()).isEqualTo(task.fromRow());
            for (RecordBatch next = Scans.next(stream); next != null; next = Scans.next(stream)) {
                try (RecordBatch batch = next) {
                    assertThat(batch.rowCount()).isBetween(1, batchRows);
                    assertThat(pool.held()).isLessThanOrEqualTo(estimate);
                    Values.append(batch, rows);
                }
                assertThat(stream.position()).isEqualTo(task.fromRow() + rows.size());
            }
            assertThat(stream.poll()).isInstanceOf(Poll.Finished.class);
        }
        assertThat(rows).hasSize((int) task.rows());
        return rows;
    }

    ScanStream open(ScanTask task, int batchRows) {
        return format.open(task, batchRows, pool, ScanMetrics.NONE);
    }

    /** Fails if a buffer is not freed. */
    @Override
    public void close() {
        Scans.closeOnceFree(pool);
    }
}
