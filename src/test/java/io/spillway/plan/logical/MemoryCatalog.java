package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.catalog.Catalog;
import io.spillway.catalog.Snapshot;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
import io.spillway.storage.FileStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A catalog whose datasets were put into it; their files exist only by name. */
final class MemoryCatalog implements Catalog {

    private final Map<String, Snapshot> datasets = new TreeMap<>();

    /** Two files of two and one partitions, with columns written as {@code name type[?]}. */
    MemoryCatalog with(String name, String... columns) {
        return with(name, List.of(), columns);
    }

    MemoryCatalog with(
            String name, List<FileMetadata.UnreadableColumn> unreadable, String... columns) {
        return with(name, unreadable, schema(columns));
    }

    /** One file of one partition. */
    MemoryCatalog withRows(String name, long rows, String... columns) {
        return put(name, List.of(), schema(columns), List.of(file(uri(name, 0), List.of(rows))));
    }

    private static RowSchema schema(String... columns) {
        List<ColumnSchema> schema =
                List.of(columns).stream()
                        .map(
                                c -> {
                                    String column = c.substring(0, c.lastIndexOf(' '));
                                    String type = c.substring(c.lastIndexOf(' ') + 1);
                                    boolean nullable = type.endsWith("?");
                                    return new ColumnSchema(
                                            column,
                                            ColumnType.parse(type.replace("?", "")),
                                            nullable);
                                })
                        .toList();
        return new RowSchema(schema);
    }

    MemoryCatalog with(
            String name, List<FileMetadata.UnreadableColumn> unreadable, RowSchema schema) {
        return put(
                name,
                unreadable,
                schema,
                List.of(
                        file(uri(name, 0), List.of(1_000L, 500L)),
                        file(uri(name, 1), List.of(250L))));
    }

    private MemoryCatalog put(
            String name,
            List<FileMetadata.UnreadableColumn> unreadable,
            RowSchema schema,
            List<ScanFile> files) {
        datasets.put(name, new Snapshot("parquet", Map.of(), schema, unreadable, files, List.of()));
        return this;
    }

    private static String uri(String name, int number) {
        return "file:///data/%s/%d.parquet".formatted(name, number);
    }

    private static ScanFile file(String uri, List<Long> rows) {
        return new ScanFile(new FileStatus(uri, 4_096, 1_700_000_000_000L, "inode-1"), rows);
    }

    @Override
    public List<String> datasetNames() {
        return List.copyOf(datasets.keySet());
    }

    @Override
    public Snapshot dataset(String name) {
        Snapshot snapshot = datasets.get(name);
        if (snapshot == null) {
            throw new SpillwayException(
                    ErrorCode.UNKNOWN_DATASET, "There is no dataset '" + name + "'");
        }
        return snapshot;
    }

    @Override
    public Snapshot files(String format, List<String> paths, Map<String, Object> options) {
        throw new SpillwayException(
                        ErrorCode.PATH_NOT_ALLOWED, "'" + paths.getFirst() + "' is not allowed")
                .with(SpillwayException.FILE, paths.getFirst());
    }
}
