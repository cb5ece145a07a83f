package io.spillway.scan.arrow;

import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.WeightedCache;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Arrow IPC, files and streams, which are told apart by their first bytes. A partition is a run of
 * record batches.
 *
 * <p>Metadata of version 4 and 5 is read, little-endian data, bodies as they are or compressed with
 * LZ4 frames or Zstandard, and dictionaries that are replaced or added to, in files too. Types that
 * Spillway has not are read as those it has where nothing is lost ({@link FieldTypes} tells which);
 * a column of durations, intervals, unions, runs or list views is {@linkplain
 * FileMetadata#unreadable unreadable}, and so is one that has such a part.
 *
 * <p>A file is looked through by its metadata alone; what was found is cached by its state.
 */
public final class ArrowFormat implements ScanFormat {

    private final Function<String, @Nullable FileSystemAccess> fileSystems;
    private final WeightedCache<FileStatus, FileIndex> indexes;
    private final ScanMetrics metrics;

    /**
     * @param fileSystems the file system for a URI scheme, or null if there is none
     * @param cacheBytes heap that what is known of files may take
     * @param metrics told of what is read for metadata
     */
    public ArrowFormat(
            Function<String, @Nullable FileSystemAccess> fileSystems,
            long cacheBytes,
            ScanMetrics metrics) {
        this.fileSystems = fileSystems;
        this.indexes = new WeightedCache<>(cacheBytes);
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "arrow";
    }

    /**
     * {@inheritDoc}
     *
     * @throws SpillwayException also {@code SCHEMA_MISMATCH} if two columns have one name, and
     *     {@code SOURCE_CHANGED} if the file is not in that state any more
     */
    @Override
    public FileMetadata metadata(FileStatus file) {
        FileIndex index = index(file);
        return new FileMetadata(
                new RowSchema(
                        index.fields().stream()
                                .filter(field -> field.type() != null)
                                .map(ArrowField::column)
                                .toList()),
                SchemaReader.unreadable(index.fields()),
                index.partitionRows(),
                index.bytes());
    }

    /** {@inheritDoc} How, says {@link MemoryEstimate}. */
    @Override
    public long estimateBytes(ScanTask task, int batchRows) {
        return MemoryEstimate.bytes(
                task, index(task.file()), batchRows, fileSystem(task.file()).profile());
    }

    @Override
    public ScanStream open(
            ScanTask task, int batchRows, MemoryPool pool, ScanMetrics readerMetrics) {
        return new ArrowStream(
                task,
                batchRows,
                () ->
                        RunReader.open(
                                task,
                                index(task.file()),
                                openFile(task.file(), readerMetrics),
                                pool,
                                readerMetrics));
    }

    private FileIndex index(FileStatus file) {
        FileIndex cached = indexes.get(file);
        if (cached != null) {
            return cached;
        }
        try (OpenFile open = openFile(file, metrics)) {
            FileIndex index = IndexReader.read(open);
            indexes.put(file, index, index.weight());
            return index;
        }
    }

    private OpenFile openFile(FileStatus file, ScanMetrics told) {
        return OpenFile.open(fileSystem(file), file, null, false, told);
    }

    private FileSystemAccess fileSystem(FileStatus file) {
        int colon = file.uri().indexOf(':');
        String scheme = colon < 0 ? "" : file.uri().substring(0, colon);
        FileSystemAccess files = fileSystems.apply(scheme);
        if (files == null) {
            throw new SpillwayException(
                            ErrorCode.NOT_SUPPORTED, "There is no file system '" + scheme + "'")
                    .with(SpillwayException.FILE, file.uri());
        }
        return files;
    }
}
