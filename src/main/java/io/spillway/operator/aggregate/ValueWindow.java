package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Compact;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.WorkContext;
import io.spillway.operator.key.RowGather;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last values of a long column, by their place in it: from one that is still needed to the one
 * that was added last. What there is no memory for goes to disk, if few of the values are looked
 * at.
 *
 * <pre>
 *   dropped │ on disk │ in memory │
 *           start     held        end
 * </pre>
 */
final class ValueWindow implements AutoCloseable {

    private final RowSchema schema;
    private final boolean spills;
    private final WorkContext context;
    private final MemoryHolding holding;
    private final List<RecordBatch> batches = new ArrayList<>();
    private long start;
    private long heldFrom;
    private long end;
    private long bytes;
    private @Nullable SpillWriter writer;
    private @Nullable SpillFile file;

    /**
     * @param spills whether values go to disk; else it is an error if there is no memory for them
     */
    ValueWindow(ColumnSchema value, boolean spills, WorkContext context) {
        this.schema = new RowSchema(List.of(value));
        this.spills = spills;
        this.context = context;
        this.holding = context.pool().hold("values");
    }

    /** The place behind the last value. */
    long end() {
        return end;
    }

    /** Adds values, of which a reference is taken. */
    void add(ColumnVector values) {
        int count = values.size();
        RecordBatch part = new RecordBatch(schema, List.of(values.slice(0, count)), count);
        RecordBatch own = Compact.compact(part, context.pool().allocator());
        batches.add(own);
        bytes += own.bytes();
        end += count;
    }

    /**
     * Takes memory for what is in the window, but for its first batch, which is there in any case.
     * To be called when what is not needed any more has been dropped.
     *
     * @throws io.spillway.error.SpillwayException {@code MEMORY_LIMIT} if there is none and values
     *     do not go to disk
     */
    void settle() {
        long more = bytes - first() - holding.bytes();
        if (more <= 0) {
            holding.shrink(-more);
            return;
        }
        if (!holding.tryGrow(more)) {
            if (!spills) {
                throw Failures.tooLarge("The values of one group do not fit in memory");
            }
            spill();
        }
    }

    private long first() {
        return batches.isEmpty() ? 0 : batches.getFirst().column(0).bytes();
    }

    private void spill() {
        SpillWriter open = writer;
        if (open == null) {
            if (file != null) {
                throw new IllegalStateException("values on disk are still needed");
            }
            open = context.spill().create(schema);
            writer = open;
            start = heldFrom;
        }
        for (RecordBatch batch : batches) {
            open.append(batch);
            batch.close();
            heldFrom += batch.rowCount();
        }
        batches.clear();
        bytes = 0;
        holding.shrink(holding.bytes());
    }

    /**
     * Values at places that are in the window, in ascending order; a negative place gives null. The
     * caller owns the batch.
     */
    RecordBatch take(long[] places, int count) {
        List<RecordBatch> sources = new ArrayList<>(batches);
        try {
            int[] sourceOf = new int[count];
            int[] rowOf = new int[count];
            int batch = 0;
            long first = heldFrom;
            for (int i = 0; i < count; i++) {
                long place = places[i];
                if (place < 0) {
                    rowOf[i] = -1;
                } else if (place < heldFrom) {
                    sourceOf[i] = sources.size();
                    sources.add(read(place));
                } else {
                    while (place >= first + batches.get(batch).rowCount()) {
                        first += batches.get(batch++).rowCount();
                    }
                    sourceOf[i] = batch;
                    rowOf[i] = (int) (place - first);
                }
            }
            return new RowGather(schema, sources)
                    .gather(sourceOf, rowOf, count, context.pool().allocator());
        } finally {
            sources.subList(batches.size(), sources.size()).forEach(RecordBatch::close);
        }
    }

    /** One value from disk. */
    private RecordBatch read(long place) {
        SpillWriter open = writer;
        if (open != null) {
            file = open.finish();
            writer = null;
        }
        if (file == null) {
            throw new IllegalStateException("the value at " + place + " was dropped");
        }
        try (BatchStream rows = file.read(place - start, context.pool().allocator())) {
            if (rows.poll() instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                try (batch) {
                    return batch.slice(0, 1);
                }
            }
            throw new IllegalStateException("there is no value at " + place);
        }
    }

    /** Drops values that are not needed any more. */
    void dropBefore(long place) {
        if (place >= heldFrom) {
            dropFile();
        }
        while (!batches.isEmpty() && heldFrom + batches.getFirst().rowCount() <= place) {
            RecordBatch batch = batches.removeFirst();
            heldFrom += batch.rowCount();
            bytes -= batch.column(0).bytes();
            batch.close();
        }
    }

    private void dropFile() {
        if (writer != null) {
            writer.close();
            writer = null;
        }
        if (file != null) {
            file.close();
            file = null;
        }
    }

    @Override
    public void close() {
        batches.forEach(RecordBatch::close);
        batches.clear();
        dropFile();
        holding.close();
    }
}
