package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.execution.ParallelStage;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.WorkContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A join at work.
 *
 * <pre>
 *   BUILD ────────▶ PROBE ───────────▶ UNMATCHED ──▶ DONE
 *   right side      left side past     right rows that
 *   to a table      the table          found no match
 *     │               │
 *     │ no memory     │ memory is asked back
 *     ▼               ▼
 *   SPILLED: what is left of both sides goes by way of the disk ──▶ DONE
 * </pre>
 */
final class JoinStream implements BatchStream {

    /** What a batch that waits for its consumer counts at least. */
    private static final long BATCH_BYTES = 1 << 10;

    private enum Phase {
        BUILD,
        PROBE,
        UNMATCHED,
        SPILLED,
        DONE
    }

    private final JoinLayout layout;
    private final BatchStream left;
    private final BatchStream right;
    private final WorkContext context;
    private final BufferAllocator allocator;
    private final JoinMemory memory;
    private final MemoryHolding holding;
    private final RightTable table;
    private final LeftSide leftSide = new LeftSide();
    private Phase phase = Phase.BUILD;
    private @Nullable CompletableFuture<MemoryReservation> admission;
    private @Nullable PollStream<RecordBatch> stage;
    private @Nullable UnmatchedRows unmatched;
    private boolean closed;

    JoinStream(JoinLayout layout, BatchStream left, BatchStream right, WorkContext context) {
        this.layout = layout;
        this.left = left;
        this.right = right;
        this.context = context;
        this.allocator = context.pool().allocator();
        this.memory = JoinMemory.of(context);
        this.holding = context.pool().hold("join");
        this.table = new RightTable(layout, layout.right(), 0, allocator, holding);
    }

    @Override
    public RowSchema schema() {
        return layout.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (admission == null && !closed) {
            admission = context.pool().admit(memory.base());
        }
        if (admission != null && !admission.isDone()) {
            return Poll.blocked(admission);
        }
        if (admission != null) {
            admission.join();
        }
        return switch (phase) {
            case BUILD -> build();
            case PROBE -> probe();
            case UNMATCHED -> unmatched();
            case SPILLED -> throw new IllegalStateException();
            case DONE -> Poll.finished();
        };
    }

    private Poll<RecordBatch> build() {
        switch (right.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                RecordBatch kept = kept(batch);
                boolean added = false;
                try {
                    added = table.add(kept);
                } finally {
                    if (!added) {
                        kept.close();
                    }
                }
                if (!added) {
                    throw new IllegalStateException("spill");
                }
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                return Poll.blocked(orRevoked(until));
            }
            case Poll.Finished<RecordBatch>() -> {
                right.close();
                if (!table.finish()) {
                    throw new IllegalStateException("spill");
                }
                startProbe();
            }
        }
        return Poll.again();
    }

    /** The columns of a right batch that are kept; takes it over. */
    private RecordBatch kept(RecordBatch batch) {
        if (layout.rightKept().size() == batch.schema().size()) {
            return batch;
        }
        try (batch) {
            return JoinLayout.lend(batch, layout.rightKept(), 0, layout.right())
                    .slice(0, batch.rowCount());
        }
    }

    private CompletableFuture<?> orRevoked(CompletableFuture<?> until) {
        return until.isDone() ? until : CompletableFuture.anyOf(until, holding.revoked());
    }

    private void startProbe() {
        boolean nothing =
                table.keyCount() == 0
                        && switch (Emit.of(layout.type())) {
                            case PAIRS, MATCHED -> true;
                            case PAIRS_OR_NULLS, UNMATCHED -> false;
                        };
        if (nothing) {
            left.close();
            startUnmatched();
            return;
        }
        phase = Phase.PROBE;
        stage =
                memory.lanes() == 1
                        ? new InlineStage(leftSide, lane())
                        : new ParallelStage<>(
                                leftSide,
                                this::lane,
                                batch -> batch.bytes() + BATCH_BYTES,
                                memory.size().bytes(),
                                context.group(),
                                memory.lanes());
    }

    private ProbeLane lane() {
        return new ProbeLane(
                layout,
                Emit.of(layout.type()),
                table,
                layout.schema(),
                0,
                memory.size(),
                allocator);
    }

    private Poll<RecordBatch> probe() {
        Poll<RecordBatch> answer = Objects.requireNonNull(stage).poll();
        return switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                if (batch.rowCount() > 0) {
                    yield answer;
                }
                batch.close();
                yield Poll.again();
            }
            case Poll.Blocked<RecordBatch> _ -> answer;
            case Poll.Finished<RecordBatch> _ -> {
                left.close();
                startUnmatched();
                yield Poll.again();
            }
        };
    }

    private void startUnmatched() {
        if (layout.type().keepsRight()) {
            phase = Phase.UNMATCHED;
            unmatched = new UnmatchedRows(table, table.out(), memory.size(), allocator);
        } else {
            end();
        }
    }

    private Poll<RecordBatch> unmatched() {
        UnmatchedRows rows = Objects.requireNonNull(unmatched);
        if (!rows.hasNext()) {
            end();
            return Poll.finished();
        }
        try (RecordBatch batch = rows.next()) {
            return batch.rowCount() == 0
                    ? Poll.again()
                    : Poll.output(NullRows.before(layout, batch, allocator));
        }
    }

    private void end() {
        phase = Phase.DONE;
        free();
    }

    @Override
    public void release() {
        switch (phase) {
            case BUILD -> right.release();
            case PROBE, UNMATCHED, SPILLED, DONE -> {}
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        phase = Phase.DONE;
        free();
    }

    /** The left side for those who probe; ends, for now, when memory is asked back. */
    private final class LeftSide implements PollStream<RecordBatch> {

        @Override
        public Poll<RecordBatch> poll() {
            return left.poll();
        }

        @Override
        public void release() {
            left.release();
        }

        /** By the stage, when nobody probes any more. */
        @Override
        public void close() {
            left.close();
            table.close();
            holding.close();
            leave();
        }
    }

    private void free() {
        right.close();
        PollStream<RecordBatch> probing = stage;
        if (probing != null) {
            probing.close();
        } else {
            leftSide.close();
        }
    }

    /** Gives the admission back, now or as soon as it is granted. */
    private void leave() {
        CompletableFuture<MemoryReservation> granted = admission;
        if (granted != null) {
            var _ = granted.thenAccept(MemoryReservation::close);
        }
    }
}
