package io.spillway.scan;

import io.spillway.batch.RowSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a file says of itself.
 *
 * @param schema the columns that can be read
 * @param unreadable names of columns of the file that cannot be read, with the reason; asking for
 *     one is an error, ignoring it is not
 * @param partitionRows exact row counts of its partitions
 * @param bytes compressed size of the data
 * @param starts where its partitions begin, if a reader has to be told; else empty
 * @param inferred what its values tell of its columns' types, so that files of one source can agree
 *     on them; null if the file declares them
 */
public record FileMetadata(
        RowSchema schema,
        List<UnreadableColumn> unreadable,
        List<Long> partitionRows,
        long bytes,
        List<PartitionRange.Start> starts,
        @Nullable InferredColumns inferred) {

    public FileMetadata {
        unreadable = List.copyOf(unreadable);
        partitionRows = List.copyOf(partitionRows);
        starts = List.copyOf(starts);
    }

    /** A file that declares its types and says where its partitions begin. */
    public FileMetadata(
            RowSchema schema,
            List<UnreadableColumn> unreadable,
            List<Long> partitionRows,
            long bytes) {
        this(schema, unreadable, partitionRows, bytes, List.of(), null);
    }

    /** A column that is there but cannot be read. */
    public record UnreadableColumn(String name, String reason) {}
}
