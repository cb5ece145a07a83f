package io.spillway.operator.window;

import io.spillway.operator.WorkContext;

/**
 * How a window divides its memory. What it has in any case is for the batches that it reads back
 * from disk at a time: one of each place in the rows that it looks at.
 *
 * @param floor bytes that are asked for before anything is read
 * @param segmentBytes bytes of partitions that are kept in memory at a time
 * @param places how many batches there are at a time
 * @param blockBytes bytes of a batch on disk, before compression, about
 */
record WindowMemory(long floor, long segmentBytes, int places, long blockBytes) {

    private static final long MOST_FLOOR = 512 << 10;
    private static final int PART_OF_POOL = 16;

    /** The rows that come out, their columns that are computed, and a block as it is on disk. */
    private static final int OTHERS = 3;

    /** A smaller block takes more memory for its parts than for its rows. */
    private static final long LEAST_BLOCK = 2 << 10;

    /**
     * @param segmentBytes of partitions that are kept in memory at a time
     */
    static WindowMemory of(WindowShape shape, long segmentBytes, WorkContext context) {
        long floor = Math.min(MOST_FLOOR, context.pool().limit() / PART_OF_POOL);
        int places = shape.readers() + OTHERS;
        // Arrow's buffers are powers of two, and rows are not even in size.
        long block = Math.max(LEAST_BLOCK, Long.highestOneBit(floor / places) * 3 / 4);
        return new WindowMemory(floor, segmentBytes, places, block);
    }

    /** Bytes beyond the floor that reading takes whose largest batch has so many. */
    long beyondFloor(long largest) {
        return Math.max(0, places * largest - floor);
    }
}
