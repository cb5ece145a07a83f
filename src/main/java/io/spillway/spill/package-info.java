/**
 * Batches on disk: the blocks that hold them, and the files of this process that hold what does not
 * fit in memory. Knows {@code batch}, {@code memory} and {@code error} only.
 */
@NullMarked
package io.spillway.spill;

import org.jspecify.annotations.NullMarked;
