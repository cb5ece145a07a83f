package io.spillway.operator.join;

import io.spillway.spill.SpillFile;

/**
 * Rows on disk that ascend by their numbers.
 *
 * @param from the first row of the file that has not come out yet
 */
record Run(SpillFile file, long from) {

    Run(SpillFile file) {
        this(file, 0);
    }
}
