package io.spillway.scan.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.Values;
import io.spillway.storage.FileStatus;
import io.spillway.storage.LocalFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Reads texts the way the engine does, and checks the streams' contract on the way. */
public final class TextScans implements AutoCloseable {

    private static final long BUDGET = 256L << 20;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final LocalFiles files = new LocalFiles();
    private final Path folder;
    public final ScanFormat format;
    public final MemoryPool pool;

    /** With partitions of so many bytes. */
    public TextScans(Path folder, TextSyntax syntax, int partition) {
        this(folder, syntax, new TextSettings(partition, Math.max(partition, 16), 1 << 20));
    }

    /** With these sizes. */
    public TextScans(Path folder, TextSyntax syntax, TextSettings settings) {
        this(folder, MemoryPool.root(BUDGET), syntax, settings, Map.of());
    }

    private TextScans(
            Path folder,
            MemoryPool pool,
            TextSyntax syntax,
            TextSettings settings,
            Map<String, ?> options) {
        this.folder = folder;
        this.pool = pool;
        ScanFormat plain =
                new TextFormat(syntax, scheme -> files, settings, pool, 1 << 20, ScanMetrics.NONE);
        this.format = options.isEmpty() ? plain : plain.with(options);
    }

    /** With the sizes of a service, and options. */
    public static TextScans with(Path folder, TextSyntax syntax, Map<String, ?> options) {
        return new TextScans(
                folder, MemoryPool.root(BUDGET), syntax, TextSettings.DEFAULT, options);
    }

    /** A new file. */
    public FileStatus write(byte[] bytes) {
        try {
            Path file = folder.resolve("text-" + NUMBER.getAndIncrement());
            Files.write(file, bytes);
            return files.status(file.toUri().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public FileStatus write(String text) {
        return write(text.getBytes(StandardCharsets.UTF_8));
    }

    public RowSchema schema(FileStatus file) {
        return format.metadata(file).schema();
    }

    /** All columns and rows of a file, partition by partition. */
    public List<List<@Nullable String>> rows(FileStatus file, int batchRows) {
        FileMetadata metadata = format.metadata(file);
        return rows(file, metadata.schema(), batchRows);
    }

    /** All rows of a file, with these columns. */
    public List<List<@Nullable String>> rows(FileStatus file, RowSchema columns, int batchRows) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (ScanTask task : tasks(file, columns)) {
            rows.addAll(read(task, batchRows));
        }
        return rows;
    }

    /** One task a partition. */
    public List<ScanTask> tasks(FileStatus file, RowSchema columns) {
        FileMetadata metadata = format.metadata(file);
        ScanFile scan =
                new ScanFile(file, metadata.partitionRows(), Map.of(), Map.of(), metadata.starts());
        List<ScanTask> tasks = new ArrayList<>();
        for (int i = 0; i < metadata.partitionRows().size(); i++) {
            tasks.add(ScanTask.of(scan, i, 0, metadata.partitionRows().get(i), columns));
        }
        return tasks;
    }

    /** A task's rows. */
    public List<List<@Nullable String>> read(ScanTask task, int batchRows) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (ScanStream stream = open(task, batchRows)) {
            assertThat(stream.position()).isEqualTo(task.fromRow());
            for (RecordBatch next = Scans.next(stream); next != null; next = Scans.next(stream)) {
                try (RecordBatch batch = next) {
                    assertThat(batch.rowCount()).isBetween(1, batchRows);
                    Values.append(batch, rows);
                }
                assertThat(stream.position()).isEqualTo(task.fromRow() + rows.size());
            }
            assertThat(stream.poll()).isInstanceOf(Poll.Finished.class);
        }
        assertThat(rows).hasSize((int) task.rows());
        return rows;
    }

    public ScanStream open(ScanTask task, int batchRows) {
        return format.open(task, batchRows, pool, ScanMetrics.NONE);
    }

    /** Fails if a buffer is not freed. */
    @Override
    public void close() {
        Scans.closeOnceFree(pool);
    }
}
