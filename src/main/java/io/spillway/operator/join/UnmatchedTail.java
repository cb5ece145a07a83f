package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.WorkContext;
import io.spillway.operator.partition.RunWriter;
import io.spillway.operator.partition.SpillReads;
import io.spillway.spill.SpillFile;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The end of a join in memory: right rows without a match. When memory is asked back they are
 * written to disk, and read from there.
 */
final class UnmatchedTail implements PollStream<RecordBatch> {

    private final JoinLayout layout;
    private final RightTable table;
    private final UnmatchedRows rows;
    private final WorkContext context;
    private final MemoryHolding holding;
    private final BufferAllocator allocator;
    private @Nullable RunWriter writer;
    private @Nullable SpillFile file;
    private @Nullable BatchStream reading;

    /** The table, the memory of which the holding counts, stays the caller's. */
    UnmatchedTail(
            JoinLayout layout,
            RightTable table,
            JoinMemory memory,
            WorkContext context,
            MemoryHolding holding) {
        this.layout = layout;
        this.table = table;
        this.context = context;
        this.holding = holding;
        this.allocator = context.pool().allocator();
        this.rows = new UnmatchedRows(table, table.out(), memory.size(), allocator);
    }

    @Override
    public Poll<RecordBatch> poll() {
        BatchStream from = reading;
        if (from != null) {
            RecordBatch batch = SpillReads.next(from);
            return batch == null ? Poll.finished() : widened(batch);
        }
        if (writer == null && holding.revoked().isDone()) {
            writer = new RunWriter(context.spill(), layout.outRight());
        }
        if (writer != null) {
            return write(writer);
        }
        return rows.hasNext() ? widened(rows.next()) : Poll.finished();
    }

    private Poll<RecordBatch> write(RunWriter to) {
        if (rows.hasNext()) {
            try (RecordBatch batch = rows.next()) {
                to.append(batch);
            }
            return Poll.again();
        }
        SpillFile written = to.finish();
        file = written;
        table.close();
        if (written == null) {
            return Poll.finished();
        }
        reading = written.read(allocator);
        return Poll.again();
    }

    private Poll<RecordBatch> widened(RecordBatch right) {
        try (right) {
            return right.rowCount() == 0
                    ? Poll.again()
                    : Poll.output(NullRows.before(layout, right, allocator));
        }
    }

    @Override
    public void close() {
        if (reading != null) {
            reading.close();
        }
        if (writer != null) {
            writer.close();
        }
        if (file != null) {
            file.close();
        }
    }
}
