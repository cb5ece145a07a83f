package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.WorkContext;
import io.spillway.operator.partition.PartitionFiles;
import io.spillway.operator.partition.RunWriter;
import io.spillway.spill.SpillFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A join by way of the disk.
 *
 * <ol>
 *   <li>The right side is spread over files by the hash of its keys, as a Grace hash join does
 *       (Kitsuregawa, Tanaka and Moto-oka, 1983). The left side is written down as it comes, in the
 *       order that is wanted in the end; what is spread of it are the rows' numbers and what
 *       decides about matches.
 *   <li>The files of one hash range are joined, in blocks if need be, or spread once more ({@link
 *       PartitionJoin}). Each block gives a run of matches: the numbers of left rows, ascending,
 *       since their file did, and the right columns.
 *   <li>The runs are merged, and the left rows are read beside them: what comes out is in order.
 *       Then come the right rows without a match, by their own numbers.
 * </ol>
 *
 * So order costs no more than the way of the right columns by runs: left rows are written and read
 * once, and nowhere put together anew. All rows that match one left row are in one partition: only
 * runs of its blocks have rows of one number in common, and they stand in right order.
 */
final class SpilledJoin implements PollStream<RecordBatch> {

    /** Level after which rows are not spread again. */
    private static final int MAX_LEVEL = 12;

    /** Rows that fill no more batches than these are few. */
    private static final long FEW_BATCHES = 4;

    private enum Phase {
        SPREAD_RIGHT,
        SPREAD_LEFT,
        JOIN,
        MERGE,
        UNMATCHED,
        DONE
    }

    private final JoinLayout layout;
    private final JoinLayout narrow;
    private final WorkContext context;
    private final JoinMemory memory;
    private final MemoryHolding holding;
    private final BufferAllocator allocator;
    private final Runnable whenFreed;
    private final JoinFiles files;
    private final LeftRecorder leftInput;
    private final RunWriter lefts;
    private final Deque<PartitionPair> pairs = new ArrayDeque<>();
    private Phase phase = Phase.SPREAD_RIGHT;

    /** The pair that is being joined or spread; null while the inputs are spread. */
    private @Nullable PartitionPair current;

    private @Nullable PartitionJoin join;

    /** Takes right rows that match nothing while a pair is spread. */
    private @Nullable RunWriter outside;

    private @Nullable Partitioning partitioning;
    private PartitionFiles rightFiles = PartitionFiles.NONE;
    private @Nullable PollStream<RecordBatch> result;

    /**
     * Takes over the inputs.
     *
     * @param right the right rows, with their numbers if these matter
     * @param whenFreed is run when it holds no memory any more
     */
    SpilledJoin(
            JoinLayout layout,
            BatchStream left,
            PollStream<RecordBatch> right,
            JoinMemory memory,
            WorkContext context,
            MemoryHolding holding,
            Runnable whenFreed) {
        this.layout = layout;
        this.narrow = layout.narrow();
        this.context = context;
        this.memory = memory;
        this.holding = holding;
        this.allocator = context.pool().allocator();
        this.whenFreed = whenFreed;
        this.files = new JoinFiles(layout, context.spill());
        this.lefts = files.writer(layout.left());
        this.leftInput = new LeftRecorder(layout, left, lefts, memory.size().bytes(), allocator);
        startRight(right);
    }

    @Override
    public Poll<RecordBatch> poll() {
        return switch (phase) {
            case SPREAD_RIGHT, SPREAD_LEFT -> spread();
            case JOIN -> join();
            case MERGE, UNMATCHED -> result();
            case DONE -> Poll.finished();
        };
    }

    private Poll<RecordBatch> join() {
        PartitionJoin now = join;
        if (now == null) {
            nextPair();
            return Poll.again();
        }
        switch (now.poll()) {
            case Poll.Blocked<Boolean>(CompletableFuture<?> until) -> {
                return Poll.blocked(until);
            }
            case Poll.Output<Boolean>(Boolean done) -> {
                join = null;
                if (done) {
                    endPair();
                } else {
                    PartitionPair pair = Objects.requireNonNull(current);
                    startRight(Objects.requireNonNull(pair.right()).read(allocator));
                }
            }
            case Poll.Finished<Boolean> _ -> throw new IllegalStateException("joined twice");
        }
        return Poll.again();
    }

    private void nextPair() {
        PartitionPair pair = pairs.poll();
        if (pair == null) {
            startMerge();
        } else if (pair.left() != null && pair.right() != null) {
            current = pair;
            join = new PartitionJoin(layout, pair, files, memory, context, holding, this::freeRest);
        } else if (pair.right() != null && layout.type().keepsRight()) {
            files.rights().add(pair.right());
        } else {
            pair.close();
        }
    }

    private void endPair() {
        PartitionPair last = current;
        current = null;
        if (last != null) {
            last.close();
        }
    }

    private void startRight(PollStream<RecordBatch> input) {
        phase = Phase.SPREAD_RIGHT;
        boolean keeps = layout.type().keepsRight();
        RunWriter without = keeps ? files.writer(files.rightSchema()) : null;
        outside = without;
        partitioning =
                partitioning(
                        input,
                        SideKeys.right(layout, keeps ? 1 : 0, allocator),
                        files.rightSchema(),
                        without);
    }

    private void startLeft() {
        phase = Phase.SPREAD_LEFT;
        PartitionPair of = current;
        partitioning =
                partitioning(
                        of == null ? leftInput : Objects.requireNonNull(of.left()).read(allocator),
                        SideKeys.left(narrow, 1, allocator),
                        files.leftSchema(),
                        null);
    }

    private Partitioning partitioning(
            PollStream<RecordBatch> input,
            SideKeys keys,
            RowSchema schema,
            @Nullable RunWriter without) {
        SideWriter writer =
                new SideWriter(
                        keys,
                        schema,
                        level(),
                        without,
                        memory,
                        context.spill(),
                        holding,
                        allocator);
        return new Partitioning(input, writer, holding);
    }

    /** How often rows that are being spread have been spread then. */
    private int level() {
        return current == null ? 1 : current.level() + 1;
    }

    private Poll<RecordBatch> spread() {
        switch (Objects.requireNonNull(partitioning).poll()) {
            case Poll.Blocked<PartitionFiles>(CompletableFuture<?> until) -> {
                return Poll.blocked(until);
            }
            case Poll.Output<PartitionFiles>(PartitionFiles parts) -> {
                if (phase == Phase.SPREAD_RIGHT) {
                    rightFiles = parts;
                    startLeft();
                } else {
                    pair(parts);
                }
            }
            case Poll.Finished<PartitionFiles> _ ->
                    throw new IllegalStateException("the files have been taken");
        }
        return Poll.again();
    }

    private void pair(PartitionFiles leftFiles) {
        partitioning = null;
        SpillFile before = current == null ? null : current.right();
        int level = level();
        for (int i = 0; i < leftFiles.count(); i++) {
            SpillFile right = rightFiles.file(i);
            pairs.add(
                    new PartitionPair(
                            leftFiles.file(i),
                            right,
                            level,
                            right != null && level < MAX_LEVEL && splits(right, before)));
        }
        rightFiles = PartitionFiles.NONE;
        RunWriter without = outside;
        outside = null;
        SpillFile alone = without == null ? null : without.finish();
        if (alone != null) {
            files.rights().add(alone);
        }
        if (current == null) {
            files.setLeft(lefts.finish());
        }
        endPair();
        phase = Phase.JOIN;
    }

    /** Whether it is worth it to spread rows: not if there are few, or most have one key. */
    private boolean splits(SpillFile right, @Nullable SpillFile before) {
        boolean few =
                right.rows() <= FEW_BATCHES * memory.size().rows()
                        && right.bytes() <= FEW_BATCHES * memory.size().bytes();
        return !few && (before == null || right.rows() < before.rows() / 4 * 3);
    }

    private void startMerge() {
        phase = Phase.MERGE;
        SpillFile left = files.left();
        if (left == null) {
            startUnmatched();
            return;
        }
        MergedRuns matches = merged(files.matchSchema(), files.matches());
        BatchStream rows = left.read(allocator);
        PollStream<RecordBatch> joined =
                switch (layout.type()) {
                    case INNER, LEFT, RIGHT, FULL ->
                            new PairsInOrder(layout, rows, matches, memory.size(), allocator);
                    case SEMI -> new RowsInOrder(layout.schema(), true, rows, matches, allocator);
                    case ANTI -> new RowsInOrder(layout.schema(), false, rows, matches, allocator);
                };
        result = new FullerBatches(joined, memory.size(), allocator);
    }

    private void startUnmatched() {
        phase = Phase.UNMATCHED;
        result = merged(files.rightSchema(), files.rights());
    }

    private MergedRuns merged(RowSchema schema, List<SpillFile> runs) {
        List<SpillFile> taken = new ArrayList<>(runs);
        runs.clear();
        return new MergedRuns(schema, taken, memory, context.spill(), holding, allocator);
    }

    private Poll<RecordBatch> result() {
        Poll<RecordBatch> answer = Objects.requireNonNull(result).poll();
        return switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) ->
                    phase == Phase.MERGE ? answer : Poll.output(rightAlone(batch));
            case Poll.Blocked<RecordBatch> _ -> answer;
            case Poll.Finished<RecordBatch> _ -> {
                if (phase == Phase.MERGE && layout.type().keepsRight()) {
                    Objects.requireNonNull(result).close();
                    startUnmatched();
                    yield Poll.again();
                }
                close();
                yield answer;
            }
        };
    }

    private RecordBatch rightAlone(RecordBatch batch) {
        try (RecordBatch right = RowTags.untag(batch, layout.outRight())) {
            return NullRows.before(layout, right, allocator);
        }
    }

    @Override
    public void release() {
        if (partitioning != null) {
            partitioning.release();
        }
    }

    @Override
    public void close() {
        if (phase == Phase.DONE) {
            return;
        }
        phase = Phase.DONE;
        leftInput.close();
        PartitionJoin running = join;
        if (running == null) {
            freeRest();
        } else {
            running.close();
        }
    }

    /** No table is looked at any more. */
    private void freeRest() {
        if (partitioning != null) {
            partitioning.close();
        }
        rightFiles.close();
        if (result != null) {
            result.close();
        }
        endPair();
        pairs.forEach(PartitionPair::close);
        if (outside != null) {
            outside.close();
        }
        lefts.close();
        files.close();
        whenFreed.run();
    }
}
