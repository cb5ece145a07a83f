package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.WorkContext;
import io.spillway.operator.partition.RunWriter;
import io.spillway.operator.partition.SpillReads;
import io.spillway.spill.SpillFile;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Joins two partitions. If the right one does not fit in memory it is taken in blocks, and the left
 * one goes past each: block nested loops. Where spreading both once more costs less than so many
 * passes, and may help, it says so, once: false. Else, when all is written: true.
 *
 * <pre>
 *   LOAD ──▶ PROBE ──▶ UNMATCHED ──▶ DONE
 *     ▲                    │
 *     └──── next block ────┘
 * </pre>
 *
 * Each block gives a run of matches: the numbers of left rows, ascending, beside the right columns
 * that come out. What has no match on the left is known only once all runs are merged.
 */
final class PartitionJoin implements PollStream<Boolean> {

    /** Passes of left rows that take about as long as spreading these rows does. */
    private static final double LEFT_PASSES = 1;

    /** Passes of as many left rows that take about as long as spreading right rows does. */
    private static final double RIGHT_PASSES = 2;

    private enum State {
        LOAD,
        PROBE,
        UNMATCHED,
        DONE
    }

    private final JoinLayout layout;
    private final JoinLayout narrow;
    private final JoinFiles files;
    private final JoinMemory memory;
    private final BufferAllocator allocator;
    private final TaskGroup group;
    private final Runnable whenFreed;
    private final MemoryHolding joinHolding;
    private final BlockMemory blockMemory;
    private final SpillFile left;
    private final SpillFile right;
    private BatchStream rights;

    /** Right rows before those of the block, and those of the block. */
    private long before;

    private long loaded;

    private State state = State.LOAD;
    private RightTable table;

    /** Right batches for which there was no memory, in order. */
    private final Deque<RecordBatch> pending = new ArrayDeque<>();

    /** Whether it may still say that the pair is to be spread. */
    private boolean splits;

    private boolean rightEnded;

    /** Left rows past the block, what they give, and where that goes. */
    private @Nullable Lefts lefts;

    private @Nullable PollStream<RecordBatch> pass;
    private @Nullable RunWriter run;

    private boolean closed;
    private @Nullable UnmatchedRows unmatched;
    private @Nullable RunWriter unmatchedWriter;

    /**
     * Joins a pair, which stays the caller's, and of which both sides have rows.
     *
     * @param whenFreed is run when, after a call to close, it holds no memory any more
     */
    PartitionJoin(
            JoinLayout layout,
            PartitionPair pair,
            JoinFiles files,
            JoinMemory memory,
            WorkContext context,
            MemoryHolding holding,
            Runnable whenFreed) {
        this.layout = layout;
        this.narrow = layout.narrow();
        this.files = files;
        this.memory = memory;
        this.allocator = context.pool().allocator();
        this.group = context.group();
        this.whenFreed = whenFreed;
        this.joinHolding = holding;
        this.blockMemory = new BlockMemory(context.pool(), holding);
        this.splits = pair.splits();
        this.left = Objects.requireNonNull(pair.left());
        this.right = Objects.requireNonNull(pair.right());
        this.rights = right.read(allocator);
        this.table = newTable();
    }

    private RightTable newTable() {
        return new RightTable(
                layout,
                files.rightSchema(),
                layout.type().keepsRight() ? 1 : 0,
                allocator,
                blockMemory.holding());
    }

    @Override
    public Poll<Boolean> poll() {
        return switch (state) {
            case LOAD -> load();
            case PROBE -> probe();
            case UNMATCHED -> unmatched();
            case DONE -> Poll.finished();
        };
    }

    private Poll<Boolean> load() {
        CompletableFuture<?> grant = blockMemory.awaited();
        if (grant != null) {
            // Else memory that is asked back comes at the end of the block, without any wait.
            if (joinHolding.revoked().isDone()) {
                joinHolding.decline();
            }
            return Poll.blocked(CompletableFuture.anyOf(grant, joinHolding.revoked()));
        }
        RecordBatch batch = pending.poll();
        if (batch == null) {
            batch = SpillReads.next(rights);
        }
        if (batch == null) {
            rightEnded = true;
            return endLoad();
        }
        pending.push(batch);
        int rows = batch.rowCount();
        if (blockMemory.reserveIndex(table, rows) && table.add(batch)) {
            pending.pop();
            loaded += rows;
            return Poll.again();
        }
        if (splits && isDear()) {
            return end(false);
        }
        if (table.rowCount() == 0) {
            table.close();
            makeRoom(batch);
            table = newTable();
            return Poll.again();
        }
        splits = false;
        return endLoad();
    }

    /** Whether as many blocks as there seem to be cost more than spreading the pair. */
    private boolean isDear() {
        if (loaded == 0) {
            return true;
        }
        double passes = (double) right.rows() / loaded - 1;
        return passes > LEFT_PASSES + RIGHT_PASSES * right.rows() / left.rows();
    }

    /** For a batch, the first of those pending, that is too large for an empty table. */
    private void makeRoom(RecordBatch batch) {
        int rows = batch.rowCount();
        if (!blockMemory.isGranted() || rows == 1) {
            blockMemory.ask(BlockMemory.needed(batch));
            return;
        }
        blockMemory.freeIndex();
        pending.pop();
        try (batch) {
            pending.push(batch.slice(rows / 2, rows - rows / 2));
            pending.push(batch.slice(0, rows / 2));
        }
    }

    private Poll<Boolean> endLoad() {
        blockMemory.freeIndex();
        if (!table.finish()) {
            if (splits) {
                return end(false);
            }
            return loadAgain();
        }
        state = State.PROBE;
        run = files.writer(files.matchSchema());
        pass = newPass();
        return Poll.again();
    }

    /** Others have taken what the block still needed: takes it from memory of its own. */
    private Poll<Boolean> loadAgain() {
        dropPending();
        table.close();
        rights.close();
        rights = right.read(before, allocator);
        rightEnded = false;
        loaded = 0;
        blockMemory.ask(BlockMemory.NEEDED);
        table = newTable();
        return Poll.again();
    }

    private void dropPending() {
        pending.forEach(RecordBatch::close);
        pending.clear();
    }

    private PollStream<RecordBatch> newPass() {
        Lefts rows = new Lefts(left.read(allocator));
        lefts = rows;
        return ProbeLane.stage(rows, this::lane, memory, group);
    }

    private ProbeLane lane() {
        return new ProbeLane(
                narrow,
                layout.type().hasRight() ? Emit.PAIRS : Emit.MATCHED,
                table,
                1,
                files.matchSchema(),
                1,
                memory.size(),
                allocator);
    }

    private Poll<Boolean> probe() {
        RunWriter writer = Objects.requireNonNull(run);
        switch (Objects.requireNonNull(pass).poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                try (batch) {
                    writer.append(batch);
                }
                return Poll.again();
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                return Poll.blocked(until);
            }
            case Poll.Finished<RecordBatch>() -> {}
        }
        Objects.requireNonNull(pass).close();
        pass = null;
        SpillFile matches = writer.finish();
        if (matches != null) {
            files.matches().add(matches);
        }
        if (!layout.type().keepsRight()) {
            return nextBlock();
        }
        state = State.UNMATCHED;
        unmatched = new UnmatchedRows(table, table.whole(), memory.size(), allocator);
        unmatchedWriter = files.writer(files.rightSchema());
        return Poll.again();
    }

    /** The left rows for those who probe; closed when nobody probes any more. */
    private final class Lefts implements PollStream<RecordBatch> {

        private final PollStream<RecordBatch> rows;

        /** Whether the join has been closed, and waits for those who probe. */
        private volatile boolean last;

        Lefts(PollStream<RecordBatch> rows) {
            this.rows = rows;
        }

        @Override
        public Poll<RecordBatch> poll() {
            return rows.poll();
        }

        @Override
        public void close() {
            rows.close();
            if (last) {
                free();
                whenFreed.run();
            }
        }
    }

    private Poll<Boolean> unmatched() {
        UnmatchedRows rows = Objects.requireNonNull(unmatched);
        RunWriter writer = Objects.requireNonNull(unmatchedWriter);
        if (rows.hasNext()) {
            try (RecordBatch batch = rows.next()) {
                writer.append(batch);
            }
            return Poll.again();
        }
        SpillFile file = writer.finish();
        unmatchedWriter = null;
        if (file != null) {
            files.rights().add(file);
        }
        return nextBlock();
    }

    private Poll<Boolean> nextBlock() {
        table.close();
        if (!rightEnded || !pending.isEmpty()) {
            before += loaded;
            loaded = 0;
            table = newTable();
            state = State.LOAD;
            return Poll.again();
        }
        return end(true);
    }

    private Poll<Boolean> end(boolean joined) {
        state = State.DONE;
        closed = true;
        free();
        return Poll.output(joined);
    }

    private void free() {
        dropPending();
        if (run != null) {
            run.close();
            run = null;
        }
        if (unmatchedWriter != null) {
            unmatchedWriter.close();
            unmatchedWriter = null;
        }
        rights.close();
        table.close();
        blockMemory.close();
    }

    @Override
    public void close() {
        if (closed) {
            whenFreed.run();
            return;
        }
        closed = true;
        PollStream<RecordBatch> running = pass;
        if (running == null) {
            free();
            whenFreed.run();
        } else {
            Objects.requireNonNull(lefts).last = true;
            running.close();
        }
    }
}
