package io.spillway.operator.aggregate;

import io.spillway.spill.SpillFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was written of the keys of one partition. Owns the files.
 *
 * @param level by whose hash the keys were parted
 * @param saved keys that were in memory, in order of their first rows
 * @param rows later ones of these keys, and all rows of others; in their order
 */
record Partition(int level, List<SpillFile> saved, @Nullable SpillFile rows)
        implements AutoCloseable {

    @Override
    public void close() {
        saved.forEach(SpillFile::close);
        if (rows != null) {
            rows.close();
        }
    }
}
