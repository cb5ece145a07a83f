package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.execution.Failures;
import io.spillway.expression.Compact;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.WorkContext;
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
    private @Nullable UnmatchedTail unmatched;
    private @Nullable SpilledJoin spilled;
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
        if (closed) {
            return Poll.finished();
        }
        if (admission == null) {
            admission = context.pool().admitStanding(memory.base());
        }
        if (!admission.isDone()) {
            return Poll.blocked(admission);
        }
        if (admission.isCompletedExceptionally()) {
            throw Failures.asSpillway(admission.exceptionNow());
        }
        return switch (phase) {
            case BUILD -> build();
            case PROBE -> probe();
            case UNMATCHED -> unmatched();
            case SPILLED -> Objects.requireNonNull(spilled).poll();
            case DONE -> Poll.finished();
        };
    }

    private Poll<RecordBatch> build() {
        if (holding.revoked().isDone()) {
            spill(null, right);
            return Poll.again();
        }
        switch (right.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                RecordBatch kept = Compact.compact(layout.kept(batch), allocator);
                boolean added;
                try {
                    added = table.add(kept);
                } catch (Throwable t) {
                    kept.close();
                    throw t;
                }
                if (!added) {
                    spill(kept, right);
                }
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                return Poll.blocked(orRevoked(until));
            }
            case Poll.Finished<RecordBatch>() -> {
                right.close();
                if (table.finish()) {
                    startProbe();
                } else {
                    spill(null, null);
                }
            }
        }
        return Poll.again();
    }

    /**
     * Goes on by way of the disk.
     *
     * @param next a right batch for which there was no memory; taken over
     * @param input more right rows, if there may be any
     */
    private void spill(@Nullable RecordBatch next, @Nullable BatchStream input) {
        RightRest rights = new RightRest(layout, table, next, input, allocator);
        table.closeKeys();
        phase = Phase.SPILLED;
        spilled = new SpilledJoin(layout, left, rights, memory, context, holding, this::leave);
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
        stage = ProbeLane.stage(leftSide, this::lane, memory, context.group());
    }

    private ProbeLane lane() {
        return new ProbeLane(
                layout,
                Emit.of(layout.type()),
                table,
                layout.left().size(),
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
                if (leftSide.paused) {
                    leftSide.detached = true;
                    Objects.requireNonNull(stage).close();
                    stage = null;
                    spill(null, null);
                } else {
                    left.close();
                    startUnmatched();
                }
                yield Poll.again();
            }
        };
    }

    private void startUnmatched() {
        if (layout.type().keepsRight()) {
            phase = Phase.UNMATCHED;
            unmatched = new UnmatchedTail(layout, table, memory, context, holding);
        } else {
            end();
        }
    }

    private Poll<RecordBatch> unmatched() {
        Poll<RecordBatch> answer = Objects.requireNonNull(unmatched).poll();
        if (answer instanceof Poll.Finished) {
            end();
        }
        return answer;
    }

    private void end() {
        phase = Phase.DONE;
        free();
    }

    @Override
    public void release() {
        switch (phase) {
            case BUILD -> right.release();
            case PROBE -> Objects.requireNonNull(stage).release();
            case SPILLED -> Objects.requireNonNull(spilled).release();
            case UNMATCHED, DONE -> {}
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

    /** The left side for those who probe; ends for them when memory is asked back. */
    private final class LeftSide implements PollStream<RecordBatch> {

        /** Whether it has ended before the left side has. */
        private volatile boolean paused;

        /** Whether the left side and the table go on without the stage. */
        private volatile boolean detached;

        @Override
        public Poll<RecordBatch> poll() {
            if (holding.revoked().isDone()) {
                paused = true;
            }
            if (paused) {
                return Poll.finished();
            }
            Poll<RecordBatch> answer = left.poll();
            return answer instanceof Poll.Blocked<RecordBatch>(CompletableFuture<?> until)
                    ? Poll.blocked(orRevoked(until))
                    : answer;
        }

        @Override
        public void release() {
            left.release();
        }

        /** By the stage, when nobody probes any more. */
        @Override
        public void close() {
            if (!detached) {
                freeAll();
            }
        }
    }

    private void free() {
        if (stage != null) {
            stage.close();
        } else {
            freeAll();
        }
    }

    /** Nobody probes now. */
    private void freeAll() {
        if (unmatched != null) {
            unmatched.close();
        }
        right.close();
        left.close();
        table.close();
        if (spilled != null) {
            spilled.close();
        } else {
            leave();
        }
    }

    /** All memory is free: gives back what is held, and what is admitted as soon as it is. */
    private void leave() {
        holding.close();
        CompletableFuture<MemoryReservation> granted = admission;
        if (granted != null) {
            var _ = granted.thenAccept(MemoryReservation::close);
        }
    }
}
