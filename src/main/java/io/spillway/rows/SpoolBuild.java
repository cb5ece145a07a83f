package io.spillway.rows;

import io.spillway.batch.BatchGroup;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RowSchema;
import io.spillway.execution.BatchExchange;
import io.spillway.execution.Failures;
import io.spillway.execution.ParallelStage;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.spill.EncodedBlock;
import io.spillway.spool.Spool;
import io.spillway.spool.SpoolBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Computes the rows of a plan and writes them to a spool, which it gives as its one item; none if
 * another builder has taken over.
 *
 * <pre>
 *   plan's rows, aligned ──▶ handover ──▶ lanes that make blocks ──▶ writes, one at a time
 *       own turns             bounded        tasks of the group         where waiting is allowed
 * </pre>
 *
 * Batches begin at multiples of the batch size, so that the same rows always make the same blocks.
 * The plan is pulled in turns of this stream's own, never by a lane: a pull may be long, and lanes
 * wait for each other's.
 */
final class SpoolBuild implements PollStream<Spool> {

    /** A block takes so much at most, unless one row has more. */
    private static final long BLOCK_BYTES = 512 << 10;

    /** Bytes of blocks that are written at a time. */
    private static final long WRITE_BYTES = 1 << 20;

    private final PollStream<BatchGroup> rows;
    private final SpoolBuilder builder;
    private final ReadContext context;
    private final BatchExchange<NumberedRows> handover;
    private final BatchExchange<NumberedRows>.Slot slot;

    private final BuildMemory memory;

    /** There from the first rows on. */
    private @Nullable ParallelStage<NumberedRows, EncodedBlock> blocks;

    private @Nullable CompletableFuture<?> writing;
    private @Nullable CompletableFuture<@Nullable Spool> finishing;
    private long pulled;
    private boolean exhausted;
    private boolean encoded;
    private boolean closed;

    private SpoolBuild(
            PollStream<BatchGroup> rows,
            RowSchema schema,
            SpoolBuilder builder,
            ReadContext context) {
        this.rows = rows;
        this.builder = builder;
        this.context = context;
        long item = BatchSize.estimate(schema, context.batchRows()) + BLOCK_BYTES;
        this.memory = new BuildMemory(context.pool(), item, context.parallelism());
        this.handover = new BatchExchange<>(1, item, rowsOf -> item);
        this.slot = Objects.requireNonNull(handover.open());
    }

    /**
     * A build of a plan's rows. Nothing runs before the first pull.
     *
     * @param builder taken over
     * @param progress told what is read
     */
    static SpoolBuild of(
            PhysicalPlan plan, SpoolBuilder builder, ReadContext context, BuildProgress progress) {
        try {
            PollStream<BatchGroup> rows =
                    new AlignedStream(
                            new CompactStream(
                                    new PipelinedRows(context, progress).open(plan),
                                    context.pool().allocator()),
                            0,
                            context.batchRows(),
                            1);
            return new SpoolBuild(rows, plan.schema(), builder, context);
        } catch (Throwable t) {
            context.waiting().execute(builder::close);
            throw t;
        }
    }

    @Override
    public Poll<Spool> poll() {
        if (closed || builder.isLost()) {
            return Poll.finished();
        }
        try {
            if (finishing != null) {
                return finished(finishing);
            }
            return work();
        } catch (CompletionException e) {
            throw Failures.asSpillway(e);
        }
    }

    private Poll<Spool> finished(CompletableFuture<@Nullable Spool> finish) {
        if (!finish.isDone()) {
            return Poll.blocked(finish);
        }
        Spool spool = finish.join();
        close();
        return spool == null ? Poll.finished() : Poll.output(spool);
    }

    /** One turn: starts the next write, and pulls the next rows. */
    private Poll<Spool> work() {
        List<CompletableFuture<?>> waits = new ArrayList<>();
        write(waits);
        if (encoded && writing == null) {
            finishing = CompletableFuture.supplyAsync(builder::finish, context.waiting());
            return Poll.again();
        }
        boolean worked = !exhausted && pull(waits);
        CompletableFuture<?> revoked = memory.revoked();
        if (revoked != null && !waits.isEmpty()) {
            waits.add(revoked);
        }
        return worked || waits.isEmpty()
                ? Poll.again()
                : Poll.blocked(CompletableFuture.anyOf(waits.toArray(CompletableFuture[]::new)));
    }

    /** Starts a write of the blocks that are there, unless one is under way. */
    private void write(List<CompletableFuture<?>> waits) {
        CompletableFuture<?> under = writing;
        if (under != null) {
            if (!under.isDone()) {
                waits.add(under);
                return;
            }
            writing = null;
            under.join();
        }
        ParallelStage<NumberedRows, EncodedBlock> made = blocks;
        if (made == null) {
            encoded = exhausted;
            return;
        }
        List<EncodedBlock> taken = new ArrayList<>();
        boolean more = !encoded;
        try {
            for (long bytes = 0; more && bytes < WRITE_BYTES; ) {
                switch (made.poll()) {
                    case Poll.Output<EncodedBlock>(EncodedBlock block) -> {
                        taken.add(block);
                        memory.taken(block.rows());
                        bytes += block.length();
                    }
                    case Poll.Blocked<EncodedBlock>(var until) -> {
                        waits.add(until);
                        more = false;
                    }
                    case Poll.Finished<EncodedBlock>() -> {
                        encoded = true;
                        more = false;
                    }
                }
            }
        } catch (Throwable t) {
            taken.forEach(EncodedBlock::close);
            throw t;
        }
        if (!taken.isEmpty()) {
            CompletableFuture<?> next =
                    CompletableFuture.runAsync(() -> write(builder, taken), context.waiting());
            writing = next;
            waits.add(next);
        }
    }

    private static void write(SpoolBuilder builder, List<EncodedBlock> blocks) {
        try {
            blocks.forEach(builder::write);
        } finally {
            blocks.forEach(EncodedBlock::close);
        }
    }

    /** Pulls the next rows if there is room for them; false if there is something to wait for. */
    private boolean pull(List<CompletableFuture<?>> waits) {
        CompletableFuture<?> space = slot.awaitSpace();
        if (space != null) {
            waits.add(space);
            return false;
        }
        if (!memory.hasRoom()) {
            // Blocks are under way then, or being written, which is waited for.
            return waits.isEmpty();
        }
        switch (rows.poll()) {
            case Poll.Output<BatchGroup>(BatchGroup next) -> {
                memory.put(next.rows(), next.bytes() + BLOCK_BYTES);
                slot.put(new NumberedBatch(pulled, next));
                pulled += next.rows();
                if (blocks == null) {
                    blocks = lanes();
                }
            }
            case Poll.Blocked<BatchGroup>(var until) -> {
                if (until.isDone()) {
                    return true;
                }
                waits.add(until);
                return false;
            }
            case Poll.Finished<BatchGroup>() -> {
                exhausted = true;
                slot.finish();
                handover.complete();
            }
        }
        return true;
    }

    private ParallelStage<NumberedRows, EncodedBlock> lanes() {
        return new ParallelStage<>(
                handover,
                () -> new BlockLane(builder.encoder(), context.pool().allocator()),
                EncodedBlock::length,
                1,
                context.group(),
                memory.lanes());
    }

    /** Gives up what is not finished; what was written is deleted where waiting is allowed. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        rows.close();
        if (blocks == null) {
            handover.close();
        } else {
            blocks.close();
        }
        memory.close();
        context.waiting().execute(builder::close);
    }
}
