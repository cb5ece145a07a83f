package io.spillway.operator.sort;

import io.spillway.memory.MemoryHolding;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorted rows in memory. */
final class SortedChunk implements SortedPart {

    private final Deque<Block> blocks;
    private final KeyPrefix prefix;
    private final byte @Nullable [] bound;
    private final MemoryHolding holding;

    /** Held beside the blocks. */
    private long extra;

    private long rows;

    /**
     * Takes the blocks over.
     *
     * @param extra held for the chunk, beside what is for its blocks: for the keys of one block,
     *     and dictionaries
     */
    SortedChunk(
            List<Block> blocks,
            KeyPrefix prefix,
            byte @Nullable [] bound,
            MemoryHolding holding,
            long extra) {
        this.blocks = new ArrayDeque<>(blocks);
        this.prefix = prefix;
        this.bound = bound;
        this.holding = holding;
        this.extra = extra;
        this.rows = blocks.stream().mapToLong(block -> block.batch().rowCount()).sum();
    }

    @Override
    public long rows() {
        return rows;
    }

    /** Bytes of the holding. */
    long held() {
        return extra + blocks.stream().mapToLong(Block::held).sum();
    }

    @Override
    public KeyPrefix prefix() {
        return prefix;
    }

    @Override
    public byte @Nullable [] bound() {
        return bound;
    }

    @Override
    public long mergeBytes() {
        return 0;
    }

    @Override
    public @Nullable Block next() {
        Block block = blocks.poll();
        if (block != null) {
            rows -= block.batch().rowCount() - block.first();
        }
        return block;
    }

    @Override
    public void giveBack(@Nullable Block block) {
        if (block != null) {
            rows += block.batch().rowCount() - block.first();
            blocks.addFirst(block);
        }
    }

    @Override
    public void close() {
        blocks.forEach(Block::close);
        blocks.clear();
        rows = 0;
        holding.shrink(extra);
        extra = 0;
    }
}
