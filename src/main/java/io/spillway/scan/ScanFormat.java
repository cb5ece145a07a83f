package io.spillway.scan;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.pruning.PruningPredicate;
import io.spillway.storage.FileStatus;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file format that can be scanned. Thread-safe. */
public interface ScanFormat {

    /** What {@link #test} gives: true, or else false, also where that is unknown. */
    RowSchema TRUTH =
            new RowSchema(List.of(new ColumnSchema("truth", new ColumnType.Bool(), false)));

    /** Its name in plans, for example {@code parquet}. */
    String name();

    /** Names of the options that only this format has; none unless it says so. */
    default Set<String> options() {
        return Set.of();
    }

    /**
     * The same format with options of its own. They shape what {@link #metadata} says; a stream
     * follows the types that its task asks for, so that a plan can be read by the format without
     * them.
     *
     * @param values by name; only names among {@link #options}
     * @throws io.spillway.error.SpillwayException {@code INVALID_PLAN} for a value that an option
     *     does not have
     */
    default ScanFormat with(Map<String, ?> values) {
        return this;
    }

    /**
     * What a file says of itself; reads metadata only. May wait for disk or network.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}, {@code FILE_NOT_SUPPORTED},
     *     naming the file
     */
    FileMetadata metadata(FileStatus file);

    /**
     * Partitions of a file that cannot match a filter, so that they need not be opened. Judged from
     * metadata that is cached; does not wait.
     *
     * @param columns the columns that the filter is over, in the file's own types
     */
    default BitSet prune(FileStatus file, RowSchema columns, PruningPredicate filter) {
        return new BitSet();
    }

    /**
     * Bytes that a stream over the task holds at most, its batches under way included, judged from
     * metadata that is already cached or read now.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_NOT_SUPPORTED} for what no stream
     *     could read, and as {@link #metadata}
     */
    long estimateBytes(ScanTask task, int batchRows);

    /**
     * Rows of the task as batches of at most {@code batchRows} rows; shorter at the end, and where
     * values are large or the file changes how they are encoded, but never empty. Does not wait,
     * not even for disk: the stream opens the file in the background, and is {@code Blocked} while
     * bytes are under way. Buffers, also those of the batches, are allocated from the pool. Checks
     * before the first batch that the file is still in its pinned state ({@code SOURCE_CHANGED}).
     * The stream supports {@link BatchStream#release()}.
     *
     * @param metrics told of what the stream reads, in the threads that read
     */
    ScanStream open(ScanTask task, int batchRows, MemoryPool pool, ScanMetrics metrics);

    /**
     * Whether a condition is true for each row of the task: a stream like that of {@link #open},
     * also in the rows that it leaves out, but of {@link #TRUTH}.
     *
     * @param condition over the task's columns
     * @return null if the format cannot tell that for less than reading the columns takes
     * @throws io.spillway.error.SpillwayException as {@link
     *     io.spillway.expression.ExpressionCompiler#predicate}
     */
    default @Nullable ScanStream test(
            ScanTask task,
            Expression condition,
            int batchRows,
            MemoryPool pool,
            ScanMetrics metrics) {
        return null;
    }
}
