package io.spillway.scan.parquet;

import io.spillway.batch.BatchStream;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parquet files. A partition is a row group.
 *
 * <p>Top-level columns of primitive types are read, in pages of version 1 and 2, PLAIN or
 * dictionary-encoded (booleans also in runs), stored or compressed with Snappy, Zstandard, gzip or
 * LZ4_RAW. Nested and repeated columns, INT96 timestamps and encrypted columns are {@linkplain
 * FileMetadata#unreadable unreadable}. Another encoding or codec is {@code FILE_NOT_SUPPORTED},
 * before the first row wherever the footer names it.
 *
 * <p>Footers are cached by the state of their file.
 */
public final class ParquetFormat implements ScanFormat {

    private final Function<String, @Nullable FileSystemAccess> fileSystems;
    private final FooterCache footers;
    private final ScanMetrics metrics;

    /**
     * @param fileSystems the file system for a URI scheme, or null if there is none
     * @param footerCacheBytes heap that cached footers may take
     * @param metrics told of what is read for metadata
     */
    public ParquetFormat(
            Function<String, @Nullable FileSystemAccess> fileSystems,
            long footerCacheBytes,
            ScanMetrics metrics) {
        this.fileSystems = fileSystems;
        this.footers = new FooterCache(footerCacheBytes);
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "parquet";
    }

    /**
     * {@inheritDoc}
     *
     * @throws SpillwayException also {@code SCHEMA_MISMATCH} if two columns have one name, and
     *     {@code SOURCE_CHANGED} if the file is not in that state any more
     */
    @Override
    public FileMetadata metadata(FileStatus file) {
        return footer(file).metadata();
    }

    /** {@inheritDoc} How, says {@link MemoryEstimate}. */
    @Override
    public long estimateBytes(ScanTask task, int batchRows) {
        return MemoryEstimate.bytes(task, footer(task.file()), batchRows);
    }

    @Override
    public BatchStream open(
            ScanTask task, int batchRows, MemoryPool pool, ScanMetrics readerMetrics) {
        return new ParquetStream(task, batchRows, pool, readerMetrics, t -> open(t, readerMetrics));
    }

    private Footer footer(FileStatus file) {
        Footer cached = footers.get(file);
        if (cached != null) {
            return cached;
        }
        try (OpenFile open = OpenFile.open(fileSystem(file), file, metrics)) {
            return footer(file, open);
        }
    }

    private Footer footer(FileStatus file, OpenFile open) {
        Footer cached = footers.get(file);
        if (cached != null) {
            return cached;
        }
        Footer footer = FooterReader.read(open);
        footers.put(file, footer);
        return footer;
    }

    private ParquetStream.Opened open(ScanTask task, ScanMetrics readerMetrics) {
        OpenFile file = OpenFile.open(fileSystem(task.file()), task.file(), readerMetrics);
        try {
            return new ParquetStream.Opened(file, footer(task.file(), file));
        } catch (Throwable t) {
            file.close();
            throw t;
        }
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
