package io.spillway.batch;

import java.util.List;

/**
 * Batches whose rows belong together. Owns them: whoever holds it closes it, once.
 *
 * @param parts at least one, none of them without rows
 * @param rows of all of them
 */
public record BatchGroup(List<RecordBatch> parts, long rows) implements AutoCloseable {

    public BatchGroup {
        parts = List.copyOf(parts);
    }

    /** Bytes of memory that the batches take. */
    public long bytes() {
        return parts.stream().mapToLong(RecordBatch::bytes).sum();
    }

    @Override
    public void close() {
        parts.forEach(RecordBatch::close);
    }
}
