package io.spillway.scan.parquet;

import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.VectorPredicate;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.WeightedCache;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.footer.FooterReader;
import io.spillway.scan.parquet.footer.NestedTypes;
import io.spillway.scan.parquet.pruning.RowGroupPruner;
import io.spillway.scan.parquet.pruning.RowSelection;
import io.spillway.scan.pruning.PruningPredicate;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parquet files. A partition is a row group.
 *
 * <p>Columns of primitive types and nested ones ({@link NestedTypes} gives the rules) are read, in
 * pages of version 1 and 2, in any of the format's encodings, stored or compressed with Snappy,
 * Zstandard, gzip or LZ4 of any kind, but not Brotli or LZO. A column is {@linkplain
 * FileMetadata#unreadable unreadable} as a whole if one of its leaves is: if that is encrypted or
 * lies in another file, or has a type that Spillway has not, or if the column is nested deeper than
 * {@link NestedTypes#MAX_DEPTH} levels. Another encoding or codec is {@code FILE_NOT_SUPPORTED},
 * before the first row wherever the footer names it.
 *
 * <p>Footers are cached by the state of their file.
 */
public final class ParquetFormat implements ScanFormat {

    private final Function<String, @Nullable FileSystemAccess> fileSystems;
    private final WeightedCache<FileStatus, FooterReader.Read> footers;
    private final ScanMetrics metrics;
    private final ParquetOptions options;

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
        this.footers = new WeightedCache<>(footerCacheBytes);
        this.metrics = metrics;
        this.options = ParquetOptions.DEFAULT;
    }

    private ParquetFormat(ParquetFormat format, ParquetOptions options) {
        this.fileSystems = format.fileSystems;
        this.footers = format.footers;
        this.metrics = format.metrics;
        this.options = options;
    }

    @Override
    public String name() {
        return "parquet";
    }

    /**
     * {@inheritDoc} There is {@code int96}, the type of INT96 timestamps: {@code "us"}, which is
     * the default, {@code "ns"} or {@code "utf8"}. What a value does not fit exactly is an error
     * ({@code INVALID_CAST}) when it is read, but texts hold all of them. And {@code
     * verifyChecksums}, true by default: a page that fails its checksum is {@code FILE_CORRUPT}.
     */
    @Override
    public Set<String> options() {
        return ParquetOptions.NAMES;
    }

    @Override
    public ScanFormat with(Map<String, ?> values) {
        return new ParquetFormat(this, ParquetOptions.of(values));
    }

    /**
     * {@inheritDoc}
     *
     * @throws SpillwayException also {@code SCHEMA_MISMATCH} if two columns have one name, and
     *     {@code SOURCE_CHANGED} if the file is not in that state any more
     */
    @Override
    public FileMetadata metadata(FileStatus file) {
        return footer(file).with(options.int96()).metadata();
    }

    @Override
    public BitSet prune(FileStatus file, RowSchema columns, PruningPredicate filter) {
        FooterReader.Read read = footers.get(file);
        return read == null ? new BitSet() : RowGroupPruner.prune(read.footer(), columns, filter);
    }

    /** {@inheritDoc} How, says {@link MemoryEstimate}. */
    @Override
    public long estimateBytes(ScanTask task, int batchRows) {
        return MemoryEstimate.bytes(
                task, footer(task.file()), batchRows, fileSystem(task.file()).profile());
    }

    @Override
    public ScanStream open(
            ScanTask task, int batchRows, MemoryPool pool, ScanMetrics readerMetrics) {
        return new ParquetStream(
                task, null, batchRows, pool, readerMetrics, t -> open(t, pool, readerMetrics));
    }

    /** {@inheritDoc} This one can for a column of values that are not nested. */
    @Override
    public @Nullable ScanStream test(
            ScanTask task,
            Expression condition,
            int batchRows,
            MemoryPool pool,
            ScanMetrics readerMetrics) {
        RowSchema columns = task.columns();
        if (columns.size() != 1 || columns.column(0).type().isNested()) {
            return null;
        }
        VectorPredicate compiled = ExpressionCompiler.predicate(condition, columns);
        return compiled.isTotal()
                ? new ParquetStream(
                        task,
                        compiled,
                        batchRows,
                        pool,
                        readerMetrics,
                        t -> open(t, pool, readerMetrics))
                : null;
    }

    private Footer footer(FileStatus file) {
        return read(file).footer();
    }

    private FooterReader.Read read(FileStatus file) {
        FooterReader.Read cached = footers.get(file);
        if (cached != null) {
            return cached;
        }
        try (OpenFile open =
                OpenFile.open(fileSystem(file), file, null, options.verifyChecksums(), metrics)) {
            FooterReader.Read read = FooterReader.read(open);
            footers.put(file, read, read.weight());
            return read;
        }
    }

    private ParquetStream.Opened open(ScanTask task, MemoryPool pool, ScanMetrics readerMetrics) {
        FooterReader.Read read = read(task.file());
        OpenFile file =
                OpenFile.open(
                        fileSystem(task.file()),
                        task.file(),
                        read.whole(),
                        options.verifyChecksums(),
                        readerMetrics);
        try {
            RowSelection selection =
                    RowGroupPruner.select(task, read.footer(), file, pool, readerMetrics);
            return new ParquetStream.Opened(file, read.footer(), selection);
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
