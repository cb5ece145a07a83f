package io.spillway.scan;

import io.spillway.batch.RowSchema;
import io.spillway.storage.FileStatus;

/**
 * A part of one partition (row group) of one file that a reader can take.
 *
 * @param file the pinned file; rows are handed out only while it is unchanged
 * @param partition number of the row group in the file
 * @param fromRow first row, within the row group
 * @param toRow row after the last
 * @param columns the columns to read, by name, in the order in which they come out, with the types
 *     the plan was made for; may be empty, which gives batches that only have a row count
 */
public record ScanTask(
        FileStatus file, int partition, long fromRow, long toRow, RowSchema columns) {

    public long rows() {
        return toRow - fromRow;
    }

    /** The same, from a later row on. */
    public ScanTask from(long row) {
        return new ScanTask(file, partition, row, toRow, columns);
    }
}
