package io.spillway.rows;

import io.spillway.batch.RecordBatch;
import io.spillway.expression.Concat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows that know their place, in batches that belong together. Owns the batches.
 *
 * @param firstRow row number of the first row
 * @param parts at least one
 */
record NumberedBatch(long firstRow, List<RecordBatch> parts) implements NumberedRows {

    NumberedBatch {
        parts = List.copyOf(parts);
    }

    @Override
    public BatchPart take(BufferAllocator allocator) {
        if (parts.size() == 1) {
            return BatchPart.whole(parts.getFirst(), firstRow);
        }
        try (this) {
            return BatchPart.whole(Concat.concat(parts, allocator), firstRow);
        }
    }

    @Override
    public void close() {
        parts.forEach(RecordBatch::close);
    }
}
