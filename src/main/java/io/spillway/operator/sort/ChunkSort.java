package io.spillway.operator.sort;

import io.spillway.batch.HeldBytes;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.RowGather;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorts a chunk: encodes its keys, sorts an index of them, and copies the rows in their order. What
 * is merged later is so read one after the other, not at random.
 */
final class ChunkSort extends PartTask {

    /** Rows whose keys are encoded, or that are copied, in a turn. */
    private static final int TURN_ROWS = 1 << 15;

    private final RawChunk raw;
    private final SortShape shape;
    private final MemoryHolding holding;
    private final KeyEncoder encoder;
    private final List<EncodedKeys> keys = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>();
    private final HeldBytes memory = new HeldBytes();
    private @Nullable Sorted sorted;

    /** Bytes of the holding that are neither the blocks' nor given back yet. */
    private long held;

    /** Bytes of the largest block's keys, and of dictionaries. */
    private long maxKeys;

    private long dictionaries;

    /** The next entry to be copied. */
    private int next;

    /** The rows in order, and where they are copied from. */
    private record Sorted(
            KeyIndex index, KeyPrefix prefix, RowGather gather, List<RowSizes> sizes, int rows) {}

    /** Takes the chunk over, which has at least one row. */
    ChunkSort(RawChunk raw, SortShape shape, MemoryHolding holding) {
        this.raw = raw;
        this.shape = shape;
        this.holding = holding;
        this.encoder = shape.encoder();
        this.held = raw.takeHeld();
    }

    @Override
    @Nullable SortedPart step() {
        if (keys.size() < raw.batches().size()) {
            encode();
            return null;
        }
        Sorted now = sorted;
        if (now == null) {
            sorted = sort();
            return null;
        }
        for (int end = next + TURN_ROWS; next < Math.min(end, now.rows); ) {
            copy(now);
        }
        return next < now.rows ? null : finish(now);
    }

    private void encode() {
        List<RecordBatch> batches = raw.batches();
        for (int rows = 0; rows < TURN_ROWS && keys.size() < batches.size(); ) {
            RecordBatch batch = batches.get(keys.size());
            keys.add(encoder.encode(batch));
            rows += batch.rowCount();
        }
    }

    private Sorted sort() {
        encoder.close();
        KeyPrefix prefix = KeyPrefix.of(keys);
        KeyIndex index = new KeyIndex(keys, prefix, shape.allocator());
        try {
            index.sort(prefix);
            return new Sorted(
                    index,
                    prefix,
                    new RowGather(shape.schema(), raw.batches()),
                    raw.batches().stream().map(RowSizes::new).toList(),
                    (int) Math.min(index.count(), shape.limit()));
        } catch (Throwable t) {
            index.close();
            throw t;
        }
    }

    /** Makes the next block. */
    private void copy(Sorted from) {
        int most = Math.min(SortShape.BLOCK_ROWS, from.rows - next);
        if (from.sizes.getFirst().isFixed()) {
            long fitting = shape.blockBytes() / Math.max(1, from.sizes.getFirst().of(0));
            most = (int) Math.min(most, Long.highestOneBit(Math.max(1, fitting)));
        }
        int[] batchOf = new int[most];
        int[] rowOf = new int[most];
        int count = 0;
        long bytes = 0;
        long keyBytes = 0;
        while (count < most && (count == 0 || bytes < shape.blockBytes())) {
            int batch = from.index.batch(next + count);
            int row = from.index.row(next + count);
            batchOf[count] = batch;
            rowOf[count++] = row;
            bytes += from.sizes.get(batch).of(row);
            keyBytes += keys.get(batch).length(row);
        }
        RecordBatch batch = from.gather.gather(batchOf, rowOf, count, shape.allocator());
        next += count;
        long taken = Math.min(held, memory.columns(batch));
        held -= taken;
        blocks.add(Block.held(batch, holding, taken));
        maxKeys = Math.max(maxKeys, keyBytes);
        dictionaries += memory.dictionaries(batch);
    }

    private SortedPart finish(Sorted from) {
        byte[] bound = from.rows == shape.limit() ? key(from.index, from.rows - 1) : null;
        long extra = Math.min(held, maxKeys + dictionaries);
        held -= extra;
        SortedChunk chunk =
                new SortedChunk(List.copyOf(blocks), from.prefix, bound, holding, extra);
        blocks.clear();
        free();
        return chunk;
    }

    private byte[] key(KeyIndex index, int entry) {
        EncodedKeys batch = keys.get(index.batch(entry));
        byte[] key = new byte[batch.length(index.row(entry))];
        OffHeap.read(batch.address(index.row(entry)), key, 0, key.length);
        return key;
    }

    @Override
    void free() {
        blocks.forEach(Block::close);
        blocks.clear();
        Sorted now = sorted;
        sorted = null;
        if (now != null) {
            now.index.close();
        }
        keys.forEach(EncodedKeys::close);
        encoder.close();
        raw.close();
        holding.shrink(held);
        held = 0;
    }
}
