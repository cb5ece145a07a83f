package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.WorkContext;
import io.spillway.spill.SpillFile;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Joins two partitions. If the right one does not fit in memory and may be spread once more, it
 * says so, once: false. If it may not, since a key has too many rows, it is taken in blocks, and
 * the left one goes past each: block nested loops. Else, when all is written: true.
 *
 * <pre>
 *   LOAD ──▶ PROBE ──▶ UNMATCHED ──▶ DONE
 *     ▲                    │
 *     └──── next block ────┘
 * </pre>
 *
 * By blocks, whether a left row has a match is known only after the last one. Where pairs come out,
 * all left rows stand in reserve for the merge; where only left rows do, those without a match so
 * far are written anew for the next block.
 */
final class PartitionJoin implements PollStream<Boolean> {

    private enum State {
        LOAD,
        PROBE,
        UNMATCHED,
        DONE
    }

    private final JoinLayout layout;
    private final JoinFiles files;
    private final JoinMemory memory;
    private final BufferAllocator allocator;
    private final MemoryHolding joinHolding;
    private final BlockMemory blockMemory;
    private final boolean splits;
    private final SpillFile right;
    private BatchStream rights;

    /** Right rows before those of the block, and those of the block. */
    private long before;

    private long loaded;

    private @Nullable SpillFile left;
    private State state = State.LOAD;
    private RightTable table;

    /** Right batches for which there was no memory, in order. */
    private final Deque<RecordBatch> pending = new ArrayDeque<>();

    private boolean rightEnded;
    private boolean inBlocks;
    private @Nullable BlockPass pass;
    private @Nullable UnmatchedRows unmatched;
    private @Nullable RunWriter unmatchedWriter;

    /** Takes over the pair, of which both sides have rows. */
    PartitionJoin(
            JoinLayout layout,
            PartitionPair pair,
            JoinFiles files,
            JoinMemory memory,
            WorkContext context,
            MemoryHolding holding) {
        this.layout = layout;
        this.files = files;
        this.memory = memory;
        this.allocator = context.pool().allocator();
        this.joinHolding = holding;
        this.blockMemory = new BlockMemory(context.pool(), holding);
        this.splits = pair.splits();
        this.left = pair.left();
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
                joinHolding.shrink(0);
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
        if ((splits || blockMemory.reserveIndex(table, rows)) && table.add(batch)) {
            pending.pop();
            loaded += rows;
            return Poll.again();
        }
        if (splits) {
            return tooLarge();
        }
        if (table.rowCount() == 0) {
            table.close();
            makeRoom(batch);
            table = newTable();
            return Poll.again();
        }
        inBlocks = true;
        return endLoad();
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
                return tooLarge();
            }
            return loadAgain();
        }
        state = State.PROBE;
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

    private Poll<Boolean> tooLarge() {
        state = State.DONE;
        freeAll();
        return Poll.output(false);
    }

    private BlockPass newPass() {
        BatchStream lefts = Objects.requireNonNull(left).read(allocator);
        Emit emit = Emit.of(layout.type());
        if (inBlocks && !emit.wantsPairs()) {
            PairBytes bytes = new PairBytes(table.bytes(), memory.size().bytes());
            RunWriter matched = emit == Emit.MATCHED ? files.writer(files.outSchema()) : null;
            RunWriter rest = files.writer(files.leftSchema());
            return new ExistencePass(
                    lefts,
                    new Probe(
                            layout, Emit.MATCHED, table, 1, memory.size().rows(), bytes, allocator),
                    bytes,
                    matched,
                    rest,
                    () -> narrow(matched, rest),
                    allocator);
        }
        return new PairsPass(
                lefts,
                new ProbeLane(
                        layout,
                        inBlocks ? Emit.PAIRS : emit,
                        table,
                        files.outSchema(),
                        1,
                        memory.size(),
                        allocator),
                files.writer(files.outSchema()),
                files.runs());
    }

    /** Only the left rows without a match go on. */
    private void narrow(@Nullable RunWriter matched, RunWriter rest) {
        SpillFile run = matched == null ? null : matched.finish();
        if (run != null) {
            files.runs().add(run);
        }
        SpillFile all = left;
        left = rest.finish();
        if (all != null) {
            all.close();
        }
    }

    private Poll<Boolean> probe() {
        BlockPass now = Objects.requireNonNull(pass);
        if (now.step()) {
            return Poll.again();
        }
        now.finish();
        now.close();
        pass = null;
        if (!layout.type().keepsRight()) {
            return nextBlock();
        }
        state = State.UNMATCHED;
        unmatched = new UnmatchedRows(table, table.whole(), memory.size(), allocator);
        unmatchedWriter = files.writer(files.rightSchema());
        return Poll.again();
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
        if (left != null && (!rightEnded || !pending.isEmpty())) {
            before += loaded;
            loaded = 0;
            table = newTable();
            state = State.LOAD;
            return Poll.again();
        }
        state = State.DONE;
        SpillFile rest = left;
        if (inBlocks && rest != null) {
            switch (layout.type()) {
                case LEFT, FULL -> keep(files.lefts(), rest);
                case ANTI -> keep(files.runs(), rest);
                case INNER, RIGHT, SEMI -> {}
            }
        }
        close();
        return Poll.output(true);
    }

    private void keep(List<SpillFile> in, SpillFile rest) {
        in.add(rest);
        left = null;
    }

    /** All but the files of the pair. */
    private void freeAll() {
        dropPending();
        if (pass != null) {
            pass.close();
            pass = null;
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
        freeAll();
        right.close();
        SpillFile rest = left;
        left = null;
        if (rest != null) {
            rest.close();
        }
    }
}
