package io.spillway.rows;

import io.spillway.batch.BatchGroup;
import io.spillway.expression.Concat;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows that know their place, in batches that belong together. Owns the batches.
 *
 * @param firstRow row number of the first row
 */
record NumberedBatch(long firstRow, BatchGroup group) implements NumberedRows {

    @Override
    public BatchPart take(BufferAllocator allocator) {
        if (group.parts().size() == 1) {
            return BatchPart.whole(group.parts().getFirst(), firstRow);
        }
        try (this) {
            return BatchPart.whole(Concat.concat(group.parts(), allocator), firstRow);
        }
    }

    @Override
    public void close() {
        group.close();
    }
}
