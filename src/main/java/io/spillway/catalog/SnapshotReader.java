package io.spillway.catalog;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.InferredColumns;
import io.spillway.scan.PartitionRange;
import io.spillway.scan.ScanFile;
import io.spillway.scan.SkippedFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pins files: reads their metadata, finds the columns that they have between them, and notes for
 * each file how it differs. Used for one snapshot.
 */
final class SnapshotReader {

    private final ScanOptions options;
    private final List<ListedFile> files = new ArrayList<>();
    private final List<FileShape> shapes = new ArrayList<>();
    private final List<List<Long>> partitionRows = new ArrayList<>();
    private final List<List<PartitionRange.Start>> starts = new ArrayList<>();
    private final List<SkippedFile> skipped = new ArrayList<>();

    /** Each shape by itself, so that files of one shape share it, with the first such file. */
    private final Map<FileShape, Distinct> distinct = new LinkedHashMap<>();

    /** What the values of all files tell of their columns; null if the files declare them. */
    private @Nullable InferredColumns inferred;

    private record Distinct(FileShape shape, String firstFile) {}

    private SnapshotReader(ScanOptions options) {
        this.options = options;
    }

    /**
     * Pins files as they are now.
     *
     * @param listed at least one, in scan order
     * @param parallelism files that are open at once
     * @throws SpillwayException as {@link Catalog#files}
     */
    static Snapshot read(ScanOptions options, List<ListedFile> listed, int parallelism) {
        SnapshotReader reader = new SnapshotReader(options);
        reader.readMetadata(listed, parallelism);
        return reader.snapshot();
    }

    private void readMetadata(List<ListedFile> listed, int parallelism) {
        OrderedReads.run(
                listed,
                parallelism,
                file -> options.format().metadata(file.status()),
                new OrderedReads.Receiver<>() {
                    @Override
                    public void read(ListedFile file, FileMetadata metadata) {
                        take(file, metadata);
                    }

                    @Override
                    public void failed(ListedFile file, SpillwayException failure) {
                        skip(file, failure.with(SpillwayException.FILE, file.status().uri()));
                    }
                });
        if (files.isEmpty()) {
            SkippedFile first = skipped.getFirst();
            throw new SpillwayException(
                            ErrorCode.FILE_CORRUPT,
                            "Every file is corrupt, %,d of them; the first: %s"
                                    .formatted(skipped.size(), first.reason()))
                    .with(SpillwayException.FILE, first.file());
        }
    }

    private void take(ListedFile file, FileMetadata metadata) {
        Distinct known =
                distinct.computeIfAbsent(
                        FileShape.of(metadata), s -> new Distinct(s, file.status().uri()));
        files.add(file);
        shapes.add(known.shape);
        partitionRows.add(metadata.partitionRows());
        starts.add(metadata.starts());
        InferredColumns theirs = metadata.inferred();
        if (theirs != null) {
            InferredColumns before = inferred;
            inferred = before == null ? theirs : before.and(theirs);
        }
    }

    /**
     * Only what stands in the file itself is a reason to do without it, never a fault of reading.
     */
    private void skip(ListedFile file, SpillwayException failure) {
        if (options.onCorruptFile() == ScanOptions.CorruptFileRule.FAIL
                || failure.code() != ErrorCode.FILE_CORRUPT) {
            throw failure;
        }
        String message = failure.getMessage();
        skipped.add(
                new SkippedFile(
                        file.status().uri(), message == null ? failure.code().title() : message));
    }

    private Snapshot snapshot() {
        PartitionColumns partitions = PartitionColumns.of(files, options);
        Map<String, ColumnType> agreed = agreedTypes();
        CommonSchema common = new CommonSchema();
        @Nullable SameSchema same = null;
        for (Distinct each : distinct.values()) {
            FileShape shape = each.shape.with(agreed);
            if (options.schema() == ScanOptions.SchemaRule.STRICT) {
                same = same == null ? new SameSchema(each.firstFile, shape) : same;
                same.check(each.firstFile, shape);
            }
            common.add(each.firstFile, shape);
        }
        Set<String> fromFolders = new HashSet<>();
        partitions.columns().forEach(c -> fromFolders.add(c.name()));
        List<ColumnSchema> columns = new ArrayList<>(common.schema().columns());
        columns.removeIf(c -> fromFolders.contains(c.name()));
        IdentityHashMap<FileShape, Difference> differences = new IdentityHashMap<>();
        List<ScanFile> scan = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            Difference difference =
                    differences.computeIfAbsent(
                            shapes.get(i), s -> difference(s.with(agreed), columns));
            Map<String, @Nullable String> constants = new LinkedHashMap<>(difference.missing);
            constants.putAll(partitions.values(i));
            scan.add(
                    new ScanFile(
                            files.get(i).status(),
                            partitionRows.get(i),
                            difference.types,
                            constants,
                            starts.get(i)));
        }
        columns.addAll(partitions.columns());
        return new Snapshot(
                options.format().name(),
                options.formatOptions(),
                new RowSchema(columns),
                common.unreadable().stream().filter(c -> !fromFolders.contains(c.name())).toList(),
                scan,
                skipped);
    }

    /** The types of columns that are inferred from all files together, by name. */
    private Map<String, ColumnType> agreedTypes() {
        Map<String, ColumnType> types = new HashMap<>();
        InferredColumns all = inferred;
        if (all != null) {
            all.schema().columns().forEach(c -> types.put(c.name(), c.type()));
        }
        return types;
    }

    /** How a file's columns differ from the common ones. */
    private record Difference(
            Map<String, ColumnType> types, Map<String, @Nullable String> missing) {}

    private static Difference difference(FileShape shape, List<ColumnSchema> columns) {
        Map<String, ColumnType> own = new HashMap<>();
        shape.schema().columns().forEach(c -> own.put(c.name(), c.type()));
        Map<String, ColumnType> types = new LinkedHashMap<>();
        Map<String, @Nullable String> missing = new LinkedHashMap<>();
        for (ColumnSchema column : columns) {
            ColumnType type = own.get(column.name());
            if (type == null) {
                missing.put(column.name(), null);
            } else if (!type.equals(column.type())) {
                types.put(column.name(), type);
            }
        }
        return new Difference(types, missing);
    }
}
