package io.spillway.operator.sort;

import io.spillway.batch.HeldBytes;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps merged rows in memory: the best of many, for which the others are given up. */
final class ChunkTarget implements MergeTask.Target {

    private final SortShape shape;
    private final MemoryHolding holding;
    private final HeldBytes memory = new HeldBytes();
    private final List<Block> blocks = new ArrayList<>();
    private long maxKeys;
    private long dictionaries;

    ChunkTarget(SortShape shape, MemoryHolding holding) {
        this.shape = shape;
        this.holding = holding;
    }

    @Override
    public void add(Picks picks) {
        RecordBatch batch = picks.gather(shape.schema(), shape.allocator());
        long bytes = memory.columns(batch);
        boolean held = holding.tryGrow(bytes);
        blocks.add(held ? Block.held(batch, holding, bytes) : Block.of(batch));
        maxKeys = Math.max(maxKeys, picks.keyBytes());
        dictionaries += memory.dictionaries(batch);
    }

    @Override
    public SortedPart finish(KeyPrefix prefix, byte @Nullable [] bound) {
        long extra = maxKeys + dictionaries;
        SortedChunk chunk =
                new SortedChunk(
                        List.copyOf(blocks),
                        prefix,
                        bound,
                        holding,
                        holding.tryGrow(extra) ? extra : 0);
        blocks.clear();
        return chunk;
    }

    @Override
    public void close() {
        blocks.forEach(Block::close);
        blocks.clear();
    }
}
