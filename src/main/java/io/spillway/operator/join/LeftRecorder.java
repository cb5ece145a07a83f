package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes left rows down as they come, and gives what of them {@linkplain JoinLayout#deciding
 * decides}, behind their numbers: their places in the file.
 */
final class LeftRecorder implements PollStream<RecordBatch> {

    private final BatchStream input;
    private final RunWriter writer;
    private final long blockBytes;
    private final List<Integer> deciding;
    private final RowSchema narrow;
    private final RowSchema numbered;
    private final BufferAllocator allocator;
    private long rows;

    /**
     * Takes over the input.
     *
     * @param writer for the rows; stays the caller's, who finishes the file
     * @param blockBytes of the blocks of that file, about
     */
    LeftRecorder(
            JoinLayout layout,
            BatchStream input,
            RunWriter writer,
            long blockBytes,
            BufferAllocator allocator) {
        this.input = input;
        this.writer = writer;
        this.blockBytes = blockBytes;
        this.deciding = layout.deciding();
        this.narrow = layout.narrow().left();
        this.numbered = RowTags.before(narrow);
        this.allocator = allocator;
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> answer = input.poll();
        return switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                try (batch) {
                    writer.append(batch, blockBytes);
                    yield Poll.output(numbered(batch));
                }
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> _) -> answer;
            case Poll.Finished<RecordBatch>() -> answer;
        };
    }

    private RecordBatch numbered(RecordBatch batch) {
        long first = rows;
        rows += batch.rowCount();
        List<ColumnVector> columns = new ArrayList<>(deciding.size());
        try {
            for (int column : deciding) {
                columns.add(batch.column(column).slice(0, batch.rowCount()));
            }
            return RowTags.tag(
                    new RecordBatch(narrow, columns, batch.rowCount()),
                    numbered,
                    i -> first + i,
                    allocator);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        input.close();
    }
}
