package io.spillway.operator.sort;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.RowGather;

import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/**
 * The next rows of a merge, not copied yet. Has a reference to each block that they are from.
 *
 * @param blocks where rows are from
 * @param blockOf for each row its block
 * @param rowOf for each row its number there
 * @param bytes that the rows take in plain form
 * @param keyBytes that their keys take
 */
record Picks(List<Block> blocks, int[] blockOf, int[] rowOf, int count, long bytes, long keyBytes)
        implements AutoCloseable {

    /** The rows, owned by the caller. */
    RecordBatch gather(RowSchema schema, BufferAllocator allocator) {
        return new RowGather(schema, blocks.stream().map(Block::batch).toList())
                .gather(blockOf, rowOf, count, allocator);
    }

    @Override
    public void close() {
        blocks.forEach(Block::close);
    }
}
