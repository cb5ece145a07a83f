package io.spillway.catalog;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A format whose files say of themselves, in one line, what their metadata is: {@code name:type}
 * with {@code ?} for nullable or {@code !} for unreadable, then {@code #} and the partitions' rows.
 * The word {@code slow} makes reading take a while, {@code corrupt}, {@code strange} and {@code
 * fault} make it fail. The option {@code shout} puts names in upper case.
 */
final class LineFormat implements ScanFormat {

    private final boolean shout;
    private final AtomicInteger reading = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    LineFormat() {
        this(false);
    }

    private LineFormat(boolean shout) {
        this.shout = shout;
    }

    @Override
    public Set<String> options() {
        return Set.of("shout");
    }

    @Override
    public LineFormat with(Map<String, ?> values) {
        return new LineFormat(values.containsKey("shout"));
    }

    /** The most files that were read at once. */
    int mostAtOnce() {
        return most.get();
    }

    @Override
    public String name() {
        return "line";
    }

    @Override
    public FileMetadata metadata(FileStatus file) {
        most.accumulateAndGet(reading.incrementAndGet(), Math::max);
        try {
            return parse(file, Files.readString(Path.of(URI.create(file.uri()))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            reading.decrementAndGet();
        }
    }

    private FileMetadata parse(FileStatus file, String line) {
        List<ColumnSchema> columns = new ArrayList<>();
        List<FileMetadata.UnreadableColumn> unreadable = new ArrayList<>();
        List<Long> rows = List.of();
        for (String word : line.split(" ", -1)) {
            if (word.equals("slow")) {
                sleep();
            } else if (word.equals("corrupt")) {
                throw new SpillwayException(ErrorCode.FILE_CORRUPT, "corrupt")
                        .with(SpillwayException.FILE, file.uri());
            } else if (word.equals("strange")) {
                throw new SpillwayException(ErrorCode.FILE_NOT_SUPPORTED, "strange");
            } else if (word.equals("fault")) {
                throw new SpillwayException(ErrorCode.READ_FAILED, "fault");
            } else if (word.startsWith("#")) {
                rows = Arrays.stream(word.substring(1).split(",")).map(Long::valueOf).toList();
            } else {
                String name = word.substring(0, word.indexOf(':'));
                String type = word.substring(word.indexOf(':') + 1);
                if (type.equals("!")) {
                    unreadable.add(new FileMetadata.UnreadableColumn(name, "odd"));
                } else {
                    boolean nullable = type.endsWith("?");
                    columns.add(
                            new ColumnSchema(
                                    shout ? name.toUpperCase(Locale.ROOT) : name,
                                    ColumnType.parse(type.replace("?", "")),
                                    nullable));
                }
            }
        }
        return new FileMetadata(new RowSchema(columns), unreadable, rows, file.size());
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long estimateBytes(ScanTask task, int batchRows) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScanStream open(ScanTask task, int batchRows, MemoryPool pool, ScanMetrics metrics) {
        throw new UnsupportedOperationException();
    }
}
