package io.spillway.encode;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;

/** Rows as text with nothing around them that depends on their numbers: JSON and CSV. */
final class TextEncoder implements BatchEncoder {

    private final TextRows rows;

    TextEncoder(RowSchema schema, RowSyntax syntax) {
        rows = new TextRows(schema, syntax, BatchEncoders.CHUNK_BYTES);
    }

    @Override
    public EncodedChunk encode(
            RecordBatch batch, long firstRow, int from, int to, BufferAllocator allocator) {
        Objects.checkFromToIndex(from, to, batch.rowCount());
        try {
            return rows.take(rows.fill(batch, from, to, 0, allocator));
        } finally {
            rows.release();
        }
    }

    /** Between two chunks, all that is kept is on the heap: there is nothing to free. */
    @Override
    public void close() {}
}
