package io.spillway.operator.partition;

import io.spillway.spill.SpillFile;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that rows have been spread over; they are their owner's, who closes this.
 *
 * @param files by partition; null for one without rows
 */
public record PartitionFiles(List<@Nullable SpillFile> files) {

    /** No partitions. */
    public static final PartitionFiles NONE = new PartitionFiles(List.of());

    /** Partitions without rows. */
    public static PartitionFiles none(int partitions) {
        return new PartitionFiles(Collections.nCopies(partitions, null));
    }

    /** How many partitions there are. */
    public int count() {
        return files.size();
    }

    /** A partition's rows; null if it has none. */
    public @Nullable SpillFile file(int partition) {
        return files.get(partition);
    }

    /** Deletes the files. */
    public void close() {
        for (SpillFile file : files) {
            if (file != null) {
                file.close();
            }
        }
    }
}
