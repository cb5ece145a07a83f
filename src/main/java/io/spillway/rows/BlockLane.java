package io.spillway.rows;

import io.spillway.batch.RecordBatch;
import io.spillway.execution.Lane;
import io.spillway.spill.BlockEncoder;
import io.spillway.spill.EncodedBlock;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.arrow.memory.BufferAllocator;

/** Makes blocks of batches. */
final class BlockLane implements Lane<NumberedRows, EncodedBlock> {

    private final BlockEncoder encoder;
    private final BufferAllocator allocator;
    private final Queue<EncodedBlock> blocks = new ArrayDeque<>();

    BlockLane(BlockEncoder encoder, BufferAllocator allocator) {
        this.encoder = encoder;
        this.allocator = allocator;
    }

    @Override
    public void begin(NumberedRows item) {
        BatchPart part = item.take(allocator);
        try {
            RecordBatch batch = part.batch();
            // Which lane gets which batches is chance, and what is written must not depend on it.
            encoder.reset();
            encoder.encode(batch, allocator, this::keep);
        } finally {
            part.close();
        }
    }

    /** The encoder's own reference goes when this returns. */
    private void keep(EncodedBlock block) {
        block.buffer().getReferenceManager().retain();
        blocks.add(block);
    }

    @Override
    public boolean hasNext() {
        return !blocks.isEmpty();
    }

    @Override
    public EncodedBlock next() {
        return blocks.remove();
    }

    /** Nothing: what is encoded is wanted. */
    @Override
    public void idle() {}

    @Override
    public void close() {
        blocks.forEach(EncodedBlock::close);
        blocks.clear();
    }
}
