package io.spillway.rows;

import org.apache.arrow.memory.BufferAllocator;

/** Consecutive rows that know their place, for one lane to encode. Owns them. */
sealed interface NumberedRows extends AutoCloseable permits BatchPart, NumberedBatch {

    /** The rows as part of one batch, which the caller owns; this is closed then. */
    BatchPart take(BufferAllocator allocator);

    @Override
    void close();
}
