package io.spillway.scan;

import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.storage.FileStatus;
import org.jspecify.annotations.Nullable;

/**
 * A part of one partition (row group) of one file that a reader can take.
 *
 * @param file the pinned file; rows are handed out only while it is unchanged
 * @param partition number of the row group in the file
 * @param fromRow first row, within the row group
 * @param toRow row after the last
 * @param columns the columns to read, by name, in the order in which they come out, with the types
 *     the plan was made for; may be empty, which gives batches that only have a row count
 * @param filter a condition over {@code columns}: rows for which it is not true may be left out,
 *     and need not be, since whoever reads the rows tests it himself. Null if all rows are wanted
 * @param soonRows so many of the first rows are wanted before all others: they may come out as a
 *     batch of their own, and what only the others need had better be done after it. 0 if all rows
 *     are wanted alike
 * @param range where the partition lies, if the file does not say so itself; else null
 */
public record ScanTask(
        FileStatus file,
        int partition,
        long fromRow,
        long toRow,
        RowSchema columns,
        @Nullable Expression filter,
        int soonRows,
        @Nullable PartitionRange range) {

    /** A task for all its rows. */
    public ScanTask(FileStatus file, int partition, long fromRow, long toRow, RowSchema columns) {
        this(file, partition, fromRow, toRow, columns, null, 0, null);
    }

    /** A task for rows of a partition of a file. */
    public static ScanTask of(
            ScanFile file, int partition, long fromRow, long toRow, RowSchema columns) {
        return new ScanTask(
                file.status(), partition, fromRow, toRow, columns, null, 0, file.range(partition));
    }

    /** Number of rows, those that the filter may leave out included. */
    public long rows() {
        return toRow - fromRow;
    }

    /** The same, from a later row on. */
    public ScanTask from(long row) {
        return between(row, toRow);
    }

    /** The same for other rows of the partition, all alike. */
    public ScanTask between(long from, long to) {
        return new ScanTask(file, partition, from, to, columns, filter, 0, range);
    }

    /** The same, with rows left out that a condition over its columns is not true for. */
    public ScanTask where(@Nullable Expression condition) {
        return new ScanTask(file, partition, fromRow, toRow, columns, condition, soonRows, range);
    }

    /** The same, with some of the first rows wanted before all others. */
    public ScanTask soon(int rows) {
        return new ScanTask(file, partition, fromRow, toRow, columns, filter, rows, range);
    }
}
