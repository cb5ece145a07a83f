package io.spillway.operator.join;

import io.spillway.spill.SpillFile;
import org.jspecify.annotations.Nullable;

/**
 * The rows of both sides whose keys have hashes in one range.
 *
 * @param left null if there are none
 * @param right null if there are none
 * @param level how often the rows have been spread
 * @param splits whether spreading them once more is worth a try
 */
record PartitionPair(
        @Nullable SpillFile left, @Nullable SpillFile right, int level, boolean splits) {

    void close() {
        if (left != null) {
            left.close();
        }
        if (right != null) {
            right.close();
        }
    }
}
