package io.spillway.scan.text;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.PartitionRange;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.WeightedCache;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Files of text, one record a line or so, in a {@link TextSyntax}.
 *
 * <p>Text says nothing of itself: to know its rows, its columns and their types it is read once,
 * whole, when it is pinned. Whatever is wrong with a record is found then, and only values of types
 * that were given can be wrong later. A partition is some megabytes of whole records; a compressed
 * file is a single one, since it cannot be read but from its beginning.
 *
 * <p>What was found is cached by the state of the file.
 */
public final class TextFormat implements ScanFormat {

    /** What a file was looked at for. */
    private record Key(FileStatus file, TextSyntax syntax) {}

    /**
     * What is known of a file.
     *
     * @param metadata null if its records have not been looked through
     */
    private record Known(Compression compression, TextHead head, @Nullable FileMetadata metadata) {

        /** Bytes of heap, more or less. */
        long weight() {
            int columns = metadata == null ? 0 : metadata.schema().size();
            int partitions = metadata == null ? 0 : metadata.starts().size();
            return 1_000 + 300L * columns + 64L * partitions + 100L * head.names().size();
        }
    }

    private final TextSyntax syntax;
    private final Function<String, @Nullable FileSystemAccess> fileSystems;
    private final TextSettings settings;
    private final MemoryPool pool;
    private final WeightedCache<Key, Known> cache;
    private final ScanMetrics metrics;

    /**
     * @param fileSystems the file system for a URI scheme, or null if there is none
     * @param pool for looking through files
     * @param cacheBytes heap that what is known of files may take
     * @param metrics told of what is read while files are looked through
     */
    public TextFormat(
            TextSyntax syntax,
            Function<String, @Nullable FileSystemAccess> fileSystems,
            TextSettings settings,
            MemoryPool pool,
            long cacheBytes,
            ScanMetrics metrics) {
        this(syntax, fileSystems, settings, pool, new WeightedCache<>(cacheBytes), metrics);
    }

    private TextFormat(
            TextSyntax syntax,
            Function<String, @Nullable FileSystemAccess> fileSystems,
            TextSettings settings,
            MemoryPool pool,
            WeightedCache<Key, Known> cache,
            ScanMetrics metrics) {
        this.syntax = syntax;
        this.fileSystems = fileSystems;
        this.settings = settings;
        this.pool = pool;
        this.cache = cache;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return syntax.name();
    }

    @Override
    public Set<String> options() {
        return syntax.options();
    }

    @Override
    public ScanFormat with(Map<String, ?> values) {
        return new TextFormat(syntax.with(values), fileSystems, settings, pool, cache, metrics);
    }

    /**
     * {@inheritDoc} Reads all of it, and takes memory for that from the format's pool.
     *
     * @throws SpillwayException also {@code SCHEMA_MISMATCH} if two columns have one name, {@code
     *     MEMORY_LIMIT}, and {@code SOURCE_CHANGED} if the file is not in that state any more
     */
    @Override
    public FileMetadata metadata(FileStatus file) {
        Key key = new Key(file, syntax);
        Known known = cache.get(key);
        if (known == null || known.metadata() == null) {
            known = survey(file);
            cache.put(key, known, known.weight());
        }
        FileMetadata metadata = known.metadata();
        if (metadata == null) {
            throw new IllegalStateException("surveyed without metadata");
        }
        return metadata;
    }

    private Known survey(FileStatus file) {
        try (OpenFile open = openFile(file, metrics)) {
            TextOpening opening = TextOpening.read(open, syntax, settings, pool);
            TextHead head = opening.head();
            if (head != null) {
                return new Known(
                        opening.compression(),
                        head,
                        PlainSurvey.run(open, syntax, head, settings, pool));
            }
            try (TextBytes bytes = CompressedBytes.open(open, opening.compression(), pool)) {
                CompressedSurvey.Result result =
                        CompressedSurvey.run(file, syntax, settings, pool, bytes);
                return new Known(opening.compression(), result.head(), result.metadata());
            }
        }
    }

    /** What has to be known to read records; waits. */
    private Known known(FileStatus file) {
        Key key = new Key(file, syntax);
        Known known = cache.get(key);
        if (known != null) {
            return known;
        }
        try (OpenFile open = openFile(file, metrics)) {
            TextOpening opening = TextOpening.read(open, syntax, settings, pool);
            TextHead head = opening.head();
            if (head == null) {
                // Its records have to be read from the beginning anyway.
                try (TextBytes bytes = CompressedBytes.open(open, opening.compression(), pool)) {
                    head = CompressedSurvey.head(file, syntax, settings, pool, bytes);
                }
            }
            known = new Known(opening.compression(), head, null);
            cache.put(key, known, known.weight());
            return known;
        }
    }

    @Override
    public long estimateBytes(ScanTask task, int batchRows) {
        int window = window(task.file());
        Known known = known(task.file());
        long decompression =
                known.compression() == Compression.NONE ? 0 : CompressedBytes.CONTEXT_BYTES;
        return 2 * Windows.bytes(window)
                + decompression
                + syntax.readerBytes(task.columns(), batchRows, window);
    }

    /** Bytes of one read: the slower a request, the more it asks for. */
    private int window(FileStatus file) {
        return Math.clamp(
                fileSystem(file).profile().aheadBytes() - TextSettings.OVERLAP,
                Math.min(settings.window(), settings.partition()),
                settings.partition());
    }

    @Override
    public ScanStream open(
            ScanTask task, int batchRows, MemoryPool readers, ScanMetrics readerMetrics) {
        PartitionRange range = task.range();
        if (range == null) {
            throw new IllegalArgumentException("a text's partitions have to be told");
        }
        return new TextStream(
                task,
                range,
                batchRows,
                place -> open(task, range, place, batchRows, readers, readerMetrics));
    }

    private TextStream.Opened open(
            ScanTask task,
            PartitionRange range,
            TextStream.Position position,
            int batchRows,
            MemoryPool readers,
            ScanMetrics readerMetrics) {
        Known known = known(task.file());
        OpenFile file = openFile(task.file(), readerMetrics);
        boolean plain = known.compression() == Compression.NONE;
        TextBytes bytes =
                plain
                        ? new PlainBytes(file, position.offset(), range.end())
                        : CompressedBytes.open(file, known.compression(), readers);
        TextStream.Position start =
                plain ? position : new TextStream.Position(0, 0, known.head().line());
        Windows windows =
                new Windows(bytes, readers.allocator(), window(task.file()), settings.record());
        try {
            return new TextStream.Opened(
                    windows,
                    syntax.reader(known.head(), task.columns(), batchRows, readers),
                    start,
                    plain ? 0 : known.head().offset());
        } catch (Throwable t) {
            windows.close();
            throw t;
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
