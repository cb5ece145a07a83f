package io.spillway.operator.join;

import io.spillway.spill.SpillFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that one side has been spread over.
 *
 * @param files by partition; null for one without rows
 */
record PartitionFiles(List<@Nullable SpillFile> files) {

    static final PartitionFiles NONE = new PartitionFiles(List.of());

    int count() {
        return files.size();
    }

    @Nullable SpillFile file(int partition) {
        return files.get(partition);
    }

    void close() {
        for (SpillFile file : files) {
            if (file != null) {
                file.close();
            }
        }
    }
}
