package io.spillway.operator.sort;

import org.jspecify.annotations.Nullable;

/**
 * Sorted rows of neighbouring rows of the input, block by block, from the first on that has not
 * been taken. Used by one thread at a time.
 */
sealed interface SortedPart extends AutoCloseable permits SortedChunk, SortedRun {

    /** Rows that have not been taken. */
    long rows();

    /** What the keys of all rows begin with. */
    KeyPrefix prefix();

    /**
     * The key that no later row of the input may have or exceed, if this part has as many rows as
     * anybody asks for.
     */
    byte @Nullable [] bound();

    /** Memory that merging takes for this part, beyond what is held for it already. */
    long mergeBytes();

    /** Takes the next block, which is the caller's; null at the end. */
    @Nullable Block next();

    /**
     * Gives the block that was taken last back, which knows what has been taken of it: the part
     * goes on there, and drops what it can read again.
     */
    void giveBack(@Nullable Block block);

    /** Frees the rows. */
    @Override
    void close();
}
