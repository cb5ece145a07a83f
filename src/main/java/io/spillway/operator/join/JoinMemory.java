package io.spillway.operator.join;

import io.spillway.operator.WorkContext;

/**
 * How a join divides its memory.
 *
 * @param base bytes that it has for as long as it works, without which nothing moves
 * @param size of the batches that it makes
 * @param lanes how many batches of the left side are worked on at a time
 * @param partitionBits two to the power of that is the number of partitions
 */
record JoinMemory(long base, BatchLimit size, int lanes, int partitionBits) {

    private static final long MIN_BYTES = 32 << 10;
    private static final long MAX_BYTES = 256 << 10;

    /** Batches of a merge of two runs: two that are read, one that is made, one that is written. */
    private static final int BATCHES = 4;

    /** Batches of each lane: two results that wait, what it works on, and what it makes. */
    private static final int BATCHES_PER_LANE = 4;

    private static final int MIN_BITS = 3;
    private static final int MAX_BITS = 5;

    /** Memory from which on there may be more than the fewest partitions. */
    private static final long MANY_PARTITIONS = 8L << 20;

    static JoinMemory of(WorkContext context) {
        long limit = context.pool().limit();
        long bytes = Math.clamp(limit / 512, MIN_BYTES, MAX_BYTES);
        long lanes = (limit / 32 / bytes - BATCHES) / BATCHES_PER_LANE;
        int used = Math.clamp(lanes, 1, Math.max(1, context.parallelism()));
        int bits = Long.SIZE - Long.numberOfLeadingZeros(limit / MANY_PARTITIONS) + MIN_BITS;
        return new JoinMemory(
                bytes * (BATCHES + (long) BATCHES_PER_LANE * used),
                new BatchLimit(context.batchRows(), bytes),
                used,
                Math.min(bits, MAX_BITS));
    }

    /** Bytes for each source of a merge. */
    long sourceBytes() {
        return 2 * size.bytes();
    }
}
