package io.spillway.operator.join;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.WorkContext;
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
 * A join by way of the disk: a Grace hash join (Kitsuregawa, Tanaka and Moto-oka, 1983) that
 * restores the left order.
 *
 * <ol>
 *   <li>Both sides are spread over files by the hash of their keys, each row with its number.
 *   <li>The files of one hash range are joined in memory; if the right one is too large they are
 *       spread again by another hash, or joined block by block where that does not help ({@link
 *       PartitionJoin}). What comes out is written to runs, each of which ascends by the left rows'
 *       numbers, since its left file did.
 *   <li>The runs are merged by these numbers, then those of right rows without a match by theirs.
 * </ol>
 *
 * All rows that match one left row are in one hash range: only runs of neighbouring blocks have
 * rows of one number in common, and they stand in right order.
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
    private final WorkContext context;
    private final JoinMemory memory;
    private final MemoryHolding holding;
    private final BufferAllocator allocator;
    private final JoinFiles files;
    private final PollStream<RecordBatch> leftInput;
    private final Deque<PartitionPair> pairs = new ArrayDeque<>();
    private final RunWriter lefts;
    private final RunWriter rights;
    private Phase phase = Phase.SPREAD_RIGHT;

    /** The pair that is being spread again; null for the inputs. */
    private @Nullable PartitionPair parent;

    private @Nullable Partitioning partitioning;
    private PartitionFiles rightFiles = PartitionFiles.NONE;
    private @Nullable PartitionJoin join;
    private @Nullable MergedRuns merge;

    /**
     * Takes over the inputs.
     *
     * @param left the left rows, with numbers that ascend
     * @param right the right rows, with their numbers if these matter
     */
    SpilledJoin(
            JoinLayout layout,
            PollStream<RecordBatch> left,
            PollStream<RecordBatch> right,
            JoinMemory memory,
            WorkContext context,
            MemoryHolding holding) {
        this.layout = layout;
        this.context = context;
        this.memory = memory;
        this.holding = holding;
        this.allocator = context.pool().allocator();
        this.files = new JoinFiles(layout, context.spill());
        this.leftInput = left;
        this.lefts = files.writer(files.leftSchema());
        this.rights = files.writer(files.rightSchema());
        this.partitioning = spreadRight(right, 1);
    }

    private int rightOffset() {
        return layout.type().keepsRight() ? 1 : 0;
    }

    private Partitioning spreadRight(PollStream<RecordBatch> input, int level) {
        return new Partitioning(
                input,
                new PartitionWriter(
                        SideKeys.right(layout, rightOffset(), allocator),
                        files.rightSchema(),
                        level,
                        layout.type().keepsRight() ? rights : null,
                        memory,
                        context.spill(),
                        holding,
                        allocator),
                holding);
    }

    private Partitioning spreadLeft(PollStream<RecordBatch> input, int level) {
        boolean wanted =
                switch (Emit.of(layout.type())) {
                    case PAIRS_OR_NULLS, UNMATCHED -> true;
                    case PAIRS, MATCHED -> false;
                };
        return new Partitioning(
                input,
                new PartitionWriter(
                        SideKeys.left(layout, 1, allocator),
                        files.leftSchema(),
                        level,
                        wanted ? lefts : null,
                        memory,
                        context.spill(),
                        holding,
                        allocator),
                holding);
    }

    @Override
    public Poll<RecordBatch> poll() {
        return switch (phase) {
            case SPREAD_RIGHT, SPREAD_LEFT -> spread();
            case JOIN -> join();
            case MERGE, UNMATCHED -> merge();
            case DONE -> Poll.finished();
        };
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

    private void startLeft() {
        phase = Phase.SPREAD_LEFT;
        PartitionPair of = parent;
        partitioning =
                of == null
                        ? spreadLeft(leftInput, 1)
                        : spreadLeft(
                                Objects.requireNonNull(of.left()).read(allocator), of.level() + 1);
    }

    private void pair(PartitionFiles leftFiles) {
        partitioning = null;
        PartitionPair of = parent;
        int level = of == null ? 1 : of.level() + 1;
        for (int i = 0; i < leftFiles.count(); i++) {
            SpillFile right = rightFiles.file(i);
            pairs.add(
                    new PartitionPair(
                            leftFiles.file(i),
                            right,
                            level,
                            right != null && level < MAX_LEVEL && splits(right, of)));
        }
        rightFiles = PartitionFiles.NONE;
        parent = null;
        if (of == null) {
            add(files.lefts(), files.runs(), lefts.finish());
            add(files.rights(), files.rights(), rights.finish());
        } else {
            of.close();
        }
        phase = Phase.JOIN;
    }

    /** Whether it is worth it to spread rows again: not if there are few, or most have one key. */
    private boolean splits(SpillFile right, @Nullable PartitionPair of) {
        boolean few =
                right.rows() <= FEW_BATCHES * memory.size().rows()
                        && right.bytes() <= FEW_BATCHES * memory.size().bytes();
        SpillFile before = of == null ? null : of.right();
        return !few && (before == null || right.rows() < before.rows() / 4 * 3);
    }

    /** Left rows without a match: with nulls where pairs come out, else as they are. */
    private void add(List<SpillFile> withPairs, List<SpillFile> alone, @Nullable SpillFile file) {
        if (file != null) {
            (layout.type().hasRight() ? withPairs : alone).add(file);
        }
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
                if (!done) {
                    PartitionPair of = Objects.requireNonNull(parent);
                    phase = Phase.SPREAD_RIGHT;
                    partitioning =
                            spreadRight(
                                    Objects.requireNonNull(of.right()).read(allocator),
                                    of.level() + 1);
                } else {
                    parent = null;
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
            parent = pair;
            join = new PartitionJoin(layout, pair, files, memory, context, holding);
        } else if (pair.right() == null) {
            leftAlone(pair.left());
        } else if (layout.type().keepsRight()) {
            files.rights().add(pair.right());
        } else {
            pair.close();
        }
    }

    private void leftAlone(@Nullable SpillFile file) {
        switch (Emit.of(layout.type())) {
            case PAIRS_OR_NULLS, UNMATCHED -> add(files.lefts(), files.runs(), file);
            case PAIRS, MATCHED -> {
                if (file != null) {
                    file.close();
                }
            }
        }
    }

    private void startMerge() {
        phase = Phase.MERGE;
        merge =
                new MergedRuns(
                        files.outSchema(),
                        take(files.runs()),
                        files.leftSchema(),
                        take(files.lefts()),
                        batch -> NullRows.after(batch, files.outSchema(), allocator),
                        memory,
                        context.spill(),
                        holding,
                        allocator);
    }

    private void startUnmatched() {
        phase = Phase.UNMATCHED;
        merge =
                new MergedRuns(
                        files.rightSchema(),
                        take(files.rights()),
                        files.rightSchema(),
                        List.of(),
                        batch -> batch,
                        memory,
                        context.spill(),
                        holding,
                        allocator);
    }

    private static List<SpillFile> take(List<SpillFile> files) {
        List<SpillFile> taken = new ArrayList<>(files);
        files.clear();
        return taken;
    }

    private Poll<RecordBatch> merge() {
        Poll<RecordBatch> answer = Objects.requireNonNull(merge).poll();
        return switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) ->
                    Poll.output(
                            phase == Phase.MERGE
                                    ? RowTags.untag(batch, layout.schema())
                                    : rightAlone(batch));
            case Poll.Blocked<RecordBatch> _ -> answer;
            case Poll.Finished<RecordBatch> _ -> {
                if (phase == Phase.MERGE && layout.type().keepsRight()) {
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
        phase = Phase.DONE;
        if (partitioning != null) {
            partitioning.close();
        }
        leftInput.close();
        rightFiles.close();
        if (join != null) {
            join.close();
        }
        if (parent != null) {
            parent.close();
        }
        pairs.forEach(PartitionPair::close);
        if (merge != null) {
            merge.close();
        }
        lefts.close();
        rights.close();
        files.close();
    }
}
