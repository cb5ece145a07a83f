package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.WorkContext;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillWriter;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is first written to disk as a whole, so that what makes it is done, and has given
 * its memory back, before what comes after it begins.
 */
final class StagedStream implements BatchStream {

    private final BatchStream input;
    private final WorkContext context;
    private @Nullable SpillWriter writer;
    private @Nullable SpillFile file;
    private @Nullable BatchStream rows;

    /**
     * @param input taken over
     */
    StagedStream(BatchStream input, WorkContext context) {
        this.input = input;
        this.context = context;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    /** One turn of writing; null if all is on disk. */
    @Nullable Poll<RecordBatch> write() {
        if (file != null) {
            return null;
        }
        SpillWriter open = writer;
        if (open == null) {
            open = context.spill().create(input.schema());
            writer = open;
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                try (batch) {
                    open.append(batch);
                }
                yield Poll.again();
            }
            case Poll.Blocked<RecordBatch> blocked -> blocked;
            case Poll.Finished<RecordBatch> _ -> {
                file = open.finish();
                writer = null;
                input.close();
                yield Poll.again();
            }
        };
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> turn = write();
        if (turn != null) {
            return turn;
        }
        BatchStream open = rows;
        if (open == null) {
            open = read();
            rows = open;
        }
        return open.poll();
    }

    /** Reads what is on disk once more; as long as this is open. */
    BatchStream read() {
        SpillFile written = file;
        if (written == null) {
            throw new IllegalStateException("not all is written");
        }
        return written.read(context.pool().allocator());
    }

    @Override
    public void release() {
        if (rows == null) {
            input.release();
        } else {
            rows.release();
        }
    }

    @Override
    public void close() {
        input.close();
        if (writer != null) {
            writer.close();
            writer = null;
        }
        if (rows != null) {
            rows.close();
        }
        if (file != null) {
            file.close();
        }
    }
}
