package io.spillway.scan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.batch.ColumnType;
import io.spillway.storage.FileStatus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One pinned input file of a scan, with what tells its columns from those that the scan's files
 * have in common; usually nothing. {@link FileColumns} makes the one out of the other.
 *
 * @param status the state it was pinned in
 * @param partitionRows exact number of rows of each of its partitions (row groups, for Parquet), in
 *     file order
 * @param types the file's own types of those columns that have another type in the common schema,
 *     by name
 * @param constants columns that have one value in all rows of the file and are not read from it, by
 *     name: NULL for a column that the file does not have, the value in its folder's name for a
 *     partition column, as the text of an {@link io.spillway.expression.Expression.Literal}
 * @param starts where each of its partitions begins; empty if the file says so itself
 */
public record ScanFile(
        FileStatus status,
        List<Long> partitionRows,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, ColumnType> types,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, @Nullable String> constants,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PartitionRange.Start> starts) {

    @JsonCreator
    public ScanFile(
            FileStatus status,
            List<Long> partitionRows,
            @Nullable Map<String, ColumnType> types,
            @Nullable Map<String, @Nullable String> constants,
            @Nullable List<PartitionRange.Start> starts) {
        this.status = status;
        this.partitionRows = List.copyOf(partitionRows);
        this.types = types == null ? Map.of() : Map.copyOf(types);
        this.constants =
                constants == null
                        ? Map.of()
                        : Collections.unmodifiableMap(new LinkedHashMap<>(constants));
        this.starts = starts == null ? List.of() : List.copyOf(starts);
    }

    /** A file that says itself where its partitions begin. */
    public ScanFile(
            FileStatus status,
            List<Long> partitionRows,
            @Nullable Map<String, ColumnType> types,
            @Nullable Map<String, @Nullable String> constants) {
        this(status, partitionRows, types, constants, List.of());
    }

    /** A file that has the common schema's columns as they are. */
    public ScanFile(FileStatus status, List<Long> partitionRows) {
        this(status, partitionRows, Map.of(), Map.of());
    }

    public long rows() {
        long sum = 0;
        for (long r : partitionRows) {
            sum += r;
        }
        return sum;
    }

    /** Where a partition lies, if a reader has to be told; else null. */
    public @Nullable PartitionRange range(int partition) {
        if (starts.isEmpty()) {
            return null;
        }
        PartitionRange.Start start = starts.get(partition);
        int next = partition + 1;
        long end = next < starts.size() ? starts.get(next).offset() : status.size();
        return new PartitionRange(start.offset(), end, start.line());
    }
}
