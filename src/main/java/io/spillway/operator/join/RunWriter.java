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
