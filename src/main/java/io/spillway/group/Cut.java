package io.spillway.group;

import io.spillway.encode.ShortReason;
import org.jspecify.annotations.Nullable;

/**
 * A batch as it is cut from a job's rows.
 *
 * @param firstRow number of its first row
 * @param rows how many rows it has, ≥ 1
 * @param shortReason what made it short, if anything did
 */
public record Cut(long firstRow, long rows, @Nullable ShortReason shortReason) {

    /** Number of the row behind its last one. */
    public long end() {
        return firstRow + rows;
    }
}
