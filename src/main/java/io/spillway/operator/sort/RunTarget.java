package io.spillway.operator.sort;

import io.spillway.batch.RecordBatch;
import io.spillway.spill.SpillWriter;
import org.jspecify.annotations.Nullable;

/** Writes merged rows to disk. */
final class RunTarget implements MergeTask.Target {

    private final SpillWriter writer;
    private final SortShape shape;
    private long blockBytes;

    /** Takes the writer over. */
    RunTarget(SpillWriter writer, SortShape shape) {
        this.writer = writer;
        this.shape = shape;
    }

    @Override
    public void add(Picks picks) {
        try (RecordBatch batch = picks.gather(shape.schema(), shape.allocator())) {
            writer.append(batch);
        }
        blockBytes = Math.max(blockBytes, rounded(picks.bytes()) + rounded(picks.keyBytes()));
    }

    /** As much as the allocator takes for so many bytes, which is a power of two. */
    private static long rounded(long bytes) {
        return 2 * Long.highestOneBit(bytes);
    }

    @Override
    public SortedPart finish(KeyPrefix prefix, byte @Nullable [] bound) {
        return new SortedRun(writer.finish(), prefix, bound, blockBytes, shape.allocator());
    }

    @Override
    public void close() {
        writer.close();
    }
}
