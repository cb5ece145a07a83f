package io.spillway.scan;

import io.spillway.batch.RowSchema;
import java.util.List;

/**
 * What a file says of itself.
 *
 * @param schema the columns that can be read
 * @param unreadable names of columns of the file that cannot be read, with the reason; asking for
 *     one is an error, ignoring it is not
 * @param partitionRows exact row counts of its partitions
 * @param bytes compressed size of the data
 */
public record FileMetadata(
        RowSchema schema, List<UnreadableColumn> unreadable, List<Long> partitionRows, long bytes) {

    public FileMetadata {
        unreadable = List.copyOf(unreadable);
        partitionRows = List.copyOf(partitionRows);
    }

    /** A column that is there but cannot be read. */
    public record UnreadableColumn(String name, String reason) {}
}
