package io.spillway.operator.join;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.batch.PollStream;
import io.spillway.execution.Lane;
import io.spillway.execution.ParallelStage;
import io.spillway.execution.PartitionScheduler.TaskGroup;
import java.util.function.Supplier;
import io.spillway.expression.Gather;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches of what comes of left batches: columns of theirs, then the right ones, if any come
 * out. A turn looks at a bounded number of pairs; that may give a batch without rows.
 */
final class ProbeLane implements Lane<RecordBatch, RecordBatch> {

    /** What a batch that waits for its consumer counts at least. */
    private static final long BATCH_BYTES = 1 << 10;

    private final RowSchema schema;
    private final int leftColumns;
    private final boolean hasRight;
    private final RightTable table;
    private final PairBytes bytes;
    private final Probe probe;
    private final BufferAllocator allocator;
    private @Nullable RecordBatch left;

    /** Pairs of the probe that have come out. */
    private int done;

    private int[] rows = new int[0];
    private int[] sourceOf = new int[0];
    private int[] rowOf = new int[0];

    /**
     * A lane.
     *
     * @param leftColumns how many of the left batches' columns come out, the first ones
     * @param schema of these, then the right columns that come out
     * @param leftOffset how many columns the left batches have before the layout's
     */
    ProbeLane(
            JoinLayout layout,
            Emit emit,
            RightTable table,
            int leftColumns,
            RowSchema schema,
            int leftOffset,
            BatchSize size,
            BufferAllocator allocator) {
        this.schema = schema;
        this.leftColumns = leftColumns;
        this.hasRight = emit.wantsPairs();
        this.table = table;
        this.bytes = new PairBytes(table.bytes(), size.bytes());
        this.probe = new Probe(layout, emit, table, leftOffset, size.rows(), bytes, allocator);
        this.allocator = allocator;
    }

    /**
     * Left batches past a table: by lanes, or, if there is but one, in the consumer's turns.
     *
     * @param input taken over; closed when no lane works any more
     */
    static PollStream<RecordBatch> stage(
            PollStream<RecordBatch> input,
            Supplier<ProbeLane> lanes,
            JoinMemory memory,
            TaskGroup group) {
        return memory.lanes() == 1
                ? new InlineStage(input, lanes.get())
                : new ParallelStage<>(
                        input,
                        lanes,
                        batch -> batch.bytes() + BATCH_BYTES,
                        memory.size().bytes(),
                        group,
                        memory.lanes());
    }

    @Override
    public void begin(RecordBatch batch) {
        left = batch;
        done = 0;
        bytes.begin(batch);
        probe.begin(batch);
    }

    @Override
    public boolean hasNext() {
        if (left == null) {
            return false;
        }
        if (done < probe.count() || probe.hasNext()) {
            return true;
        }
        end();
        return false;
    }

    @Override
    public RecordBatch next() {
        if (done == probe.count()) {
            probe.next();
            done = 0;
        }
        int count = bytes.fit(probe.lefts(), probe.rights(), done, probe.count() - done);
        RecordBatch out = batch(done, count);
        done += count;
        return out;
    }

    private RecordBatch batch(int from, int count) {
        RecordBatch batch = Objects.requireNonNull(left);
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            addLeft(batch, from, count, columns);
            if (hasRight) {
                addRight(from, count, columns);
            }
            return new RecordBatch(schema, columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private void addLeft(RecordBatch batch, int from, int count, List<ColumnVector> to) {
        int[] lefts = probe.lefts();
        int first = count == 0 ? 0 : lefts[from];
        if (isRun(lefts, from, count)) {
            for (int i = 0; i < leftColumns; i++) {
                to.add(batch.column(i).slice(first, count));
            }
            return;
        }
        int[] taken = lefts;
        if (from > 0) {
            rows = rows.length < count ? new int[count] : rows;
            System.arraycopy(lefts, from, rows, 0, count);
            taken = rows;
        }
        for (int i = 0; i < leftColumns; i++) {
            to.add(Gather.take(batch.column(i), taken, count, allocator));
        }
    }

    /** Are they neighbours, each once? They ascend. */
    private static boolean isRun(int[] lefts, int from, int count) {
        for (int i = 1; i < count; i++) {
            if (lefts[from + i] != lefts[from] + i) {
                return false;
            }
        }
        return true;
    }

    private void addRight(int from, int count, List<ColumnVector> to) {
        if (sourceOf.length < count) {
            sourceOf = new int[count];
            rowOf = new int[count];
        }
        table.rows().locate(probe.rights(), from, count, sourceOf, rowOf);
        try (RecordBatch right = table.out().gather(sourceOf, rowOf, count, allocator)) {
            for (int i = 0; i < right.schema().size(); i++) {
                to.add(right.column(i).slice(0, count));
            }
        }
    }

    private void end() {
        RecordBatch last = left;
        left = null;
        if (last != null) {
            last.close();
        }
    }

    @Override
    public void idle() {}

    @Override
    public void close() {
        end();
        probe.close();
    }
}
