package io.spillway.operator.sort;

import io.spillway.batch.RowSchema;
import io.spillway.operator.WorkContext;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.SortKey;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What all parts of one sort know: what is sorted by what, and how much is put together.
 *
 * @param limit rows that anybody asks for
 * @param chunkBytes memory that a raw chunk may take with all that sorting it takes
 * @param blockBytes about the bytes of the batches of sorted chunks and runs: with one of each run
 *     in memory many runs can be merged at once
 */
record SortShape(
        RowSchema schema,
        List<SortKey> keys,
        long limit,
        long chunkBytes,
        int blockBytes,
        BufferAllocator allocator) {

    /** Rows of a raw chunk at most: sorting it is one turn of work. */
    static final int CHUNK_ROWS = 1 << 18;

    /** Rows of a block at most; a power of two, as the buffers that Arrow allocates are. */
    static final int BLOCK_ROWS = 1 << 13;

    private static final long FIRST_ROWS = 1 << 14;
    private static final long MAX_CHUNK = 24 << 20;
    private static final long MIN_CHUNK = 256 << 10;
    private static final int MAX_BLOCK = 256 << 10;
    private static final int MIN_BLOCK = 16 << 10;

    static SortShape of(SortOperator sort, WorkContext context) {
        long memory = context.pool().limit() / 2;
        return new SortShape(
                sort.schema(),
                sort.keys(),
                sort.rows(),
                Math.clamp(memory / (2L * (context.parallelism() + 1)), MIN_CHUNK, MAX_CHUNK),
                Math.clamp(memory / 64, MIN_BLOCK, MAX_BLOCK),
                context.pool().allocator());
    }

    boolean isLimited() {
        return limit < Long.MAX_VALUE;
    }

    /**
     * Rows after which a chunk is sorted if only some rows are asked for: it is then known soon
     * which rows need not be kept.
     */
    long limitedChunkRows() {
        return Math.max(FIRST_ROWS, limit < CHUNK_ROWS ? 2 * limit : limit);
    }

    /** One for one thread at a time, owned by the caller. */
    KeyEncoder encoder() {
        return KeyEncoder.ordered(keys, schema, allocator);
    }
}
