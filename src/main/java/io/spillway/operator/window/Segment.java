package io.spillway.operator.window;

import io.spillway.batch.BatchStream;
import io.spillway.batch.HeldBytes;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Compact;
import io.spillway.memory.MemoryHolding;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import io.spillway.spill.SpillWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rows of whole partitions, many small ones or one that may be larger than memory: kept in memory
 * as long as that grows, then all on disk. Filled, then read from the beginning by any number of
 * readers.
 */
final class Segment implements AutoCloseable {

    private final RowSchema schema;
    private final MemoryHolding holding;
    private final WindowMemory memory;
    private final SpillSpace spill;
    private final BufferAllocator allocator;
    private final List<RecordBatch> batches = new ArrayList<>();
    private @Nullable SpillWriter writer;
    private @Nullable SpillFile file;
    private long held;
    private long rows;

    /** A segment without rows. */
    Segment(
            RowSchema schema,
            MemoryHolding holding,
            WindowMemory memory,
            SpillSpace spill,
            BufferAllocator allocator) {
        this.schema = schema;
        this.holding = holding;
        this.memory = memory;
        this.spill = spill;
        this.allocator = allocator;
    }

    /** Adds rows of this segment's schema; takes them over. */
    void add(RecordBatch added) {
        RecordBatch batch = Compact.compact(added, allocator);
        rows += batch.rowCount();
        HeldBytes its = new HeldBytes();
        // With dictionaries, whoever else holds them.
        long bytes = its.columns(batch) + its.dictionaries(batch);
        if (writer == null && held + bytes <= memory.segmentBytes() && holding.tryGrow(bytes)) {
            held += bytes;
            batches.add(batch);
            return;
        }
        try (batch) {
            spill();
            write(batch);
        }
    }

    private void write(RecordBatch batch) {
        HeldBytes its = new HeldBytes();
        long bytes = Math.max(1, its.columns(batch) + its.dictionaries(batch));
        int count = batch.rowCount();
        int step = Math.clamp(memory.blockBytes() * count / bytes, 1, Math.max(1, count));
        for (int from = 0; from < count; from += step) {
            try (RecordBatch part = batch.slice(from, Math.min(step, count - from))) {
                open().append(part);
            }
        }
    }

    private SpillWriter open() {
        SpillWriter now = writer;
        if (now == null) {
            now = spill.create(schema);
            writer = now;
        }
        return now;
    }

    /** Writes what is in memory to disk, while the segment is being filled. */
    void spill() {
        if (batches.isEmpty()) {
            return;
        }
        batches.forEach(this::write);
        dropBatches();
    }

    private void dropBatches() {
        batches.forEach(RecordBatch::close);
        batches.clear();
        holding.shrink(held);
        held = 0;
    }

    /** Ends the filling. What reading large rows back takes is held from now on, if it can be. */
    void finish() {
        if (writer != null) {
            file = writer.finish();
            long more = memory.beyondFloor(file.batchBytes());
            if (more > 0 && holding.tryGrow(more)) {
                held += more;
            }
        }
    }

    long rows() {
        return rows;
    }

    /** All rows, in batches that are the caller's; stays open. */
    BatchStream read() {
        return file == null ? new InMemory() : file.read(allocator);
    }

    /** Slices of what is kept. */
    private final class InMemory implements BatchStream {

        private int next;

        @Override
        public RowSchema schema() {
            return schema;
        }

        @Override
        public Poll<RecordBatch> poll() {
            if (next == batches.size()) {
                return Poll.finished();
            }
            RecordBatch batch = batches.get(next++);
            return Poll.output(batch.slice(0, batch.rowCount()));
        }

        @Override
        public void close() {
            next = batches.size();
        }
    }

    @Override
    public void close() {
        dropBatches();
        if (file != null) {
            file.close();
        } else if (writer != null) {
            writer.close();
        }
    }
}
