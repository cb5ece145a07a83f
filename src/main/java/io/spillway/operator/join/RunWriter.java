package io.spillway.operator.join;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import io.spillway.spill.SpillWriter;
import org.jspecify.annotations.Nullable;

/** Writes a file, if there is anything to write. Closing deletes what is not finished. */
final class RunWriter implements AutoCloseable {

    private final SpillSpace space;
    private final RowSchema schema;
    private @Nullable SpillWriter writer;

    RunWriter(SpillSpace space, RowSchema schema) {
        this.space = space;
        this.schema = schema;
    }

    /** Appends rows; the batch stays the caller's. */
    void append(RecordBatch batch) {
        if (batch.rowCount() == 0) {
            return;
        }
        if (writer == null) {
            writer = space.create(schema);
        }
        writer.append(batch);
    }

    /** Appends rows in blocks of so many bytes, about; the batch stays the caller's. */
    void append(RecordBatch batch, long blockBytes) {
        int rows = batch.rowCount();
        int piece = Math.clamp(blockBytes * rows / Math.max(1, batch.bytes()), 1, Math.max(1, rows));
        if (piece == rows) {
            append(batch);
            return;
        }
        for (int from = 0; from < rows; from += piece) {
            try (RecordBatch part = batch.slice(from, Math.min(piece, rows - from))) {
                append(part);
            }
        }
    }

    /** The file, owned by the caller; null if no rows were written. */
    @Nullable SpillFile finish() {
        SpillWriter written = writer;
        if (written == null) {
            return null;
        }
        SpillFile file = written.finish();
        writer = null;
        return file;
    }

    @Override
    public void close() {
        SpillWriter left = writer;
        writer = null;
        if (left != null) {
            left.close();
        }
    }
}
