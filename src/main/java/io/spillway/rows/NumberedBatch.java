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
record NumberedBatch(long firstRow, List<RecordBatch> parts) implements AutoCloseable {

    NumberedBatch {
        parts = List.copyOf(parts);
    }

    /** All rows in one batch, which the caller owns; this is closed then. */
    RecordBatch take(BufferAllocator allocator) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        try (this) {
            return Concat.concat(parts, allocator);
        }
    }

    @Override
    public void close() {
        parts.forEach(RecordBatch::close);
    }
}
