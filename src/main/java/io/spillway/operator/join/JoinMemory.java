package io.spillway.operator.join;

import io.spillway.operator.WorkContext;

/**
 * How a join divides its memory.
 *
 * @param base bytes that it has for as long as it works, without which nothing moves
 * @param size of the batches that it makes
 * @param lanes how many batches of the left side are worked on at a time
 */
record JoinMemory(long base, BatchSize size, int lanes) {

    private static final long MIN_BYTES = 32 << 10;
    private static final long MAX_BYTES = 512 << 10;

    /** Batches that are made, read and written, one of each. */
    private static final int BATCHES = 4;

    /** Batches of each lane: two results that wait, what it works on, and what it makes. */
    private static final int BATCHES_PER_LANE = 4;

    static JoinMemory of(WorkContext context) {
        long limit = context.pool().limit();
        long bytes = Math.clamp(limit / 128, MIN_BYTES, MAX_BYTES);
        long lanes = (limit / 8 / bytes - BATCHES) / BATCHES_PER_LANE;
        int used = (int) Math.clamp(lanes, 1, Math.max(1, context.parallelism()));
        return new JoinMemory(
                bytes * (BATCHES + (long) BATCHES_PER_LANE * used),
                new BatchSize(context.batchRows(), bytes),
                used);
    }
}
