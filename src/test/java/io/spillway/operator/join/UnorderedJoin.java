package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.WorkContext;
import io.spillway.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * An inner join of the same parts that keeps no order: what a join's order costs is told by
 * comparison with it. In memory as many threads as there are lanes take left batches as they come.
 * Else it is a plain Grace hash join: both sides are spread over files, whole rows without numbers,
 * and the partitions' rows come out one partition after the other.
 */
public final class UnorderedJoin {

    private final JoinLayout layout;
    private final WorkContext context;
    private final JoinMemory memory;
    private final BufferAllocator allocator;
    private final MemoryHolding holding;
    private final Consumer<RecordBatch> out;

    private UnorderedJoin(JoinOperator join, WorkContext context, Consumer<RecordBatch> out) {
        this.layout = JoinLayout.of(join);
        this.context = context;
        this.memory = JoinMemory.of(context);
        this.allocator = context.pool().allocator();
        this.holding = context.pool().hold("unordered join");
        this.out = out;
    }

    /**
     * Runs a join to its end.
     *
     * @param out gets the batches, perhaps of several threads at a time; they stay the join's
     */
    public static void run(
            JoinOperator join,
            BatchStream left,
            BatchStream right,
            WorkContext context,
            Consumer<RecordBatch> out) {
        UnorderedJoin run = new UnorderedJoin(join, context, out);
        try (left;
                right;
                MemoryHolding _ = run.holding) {
            run.run(left, right);
        }
    }

    private void run(BatchStream left, BatchStream right) {
        RightTable table = table();
        RecordBatch next = SpillReads.next(right);
        while (next != null && table.add(next)) {
            next = SpillReads.next(right);
        }
        if (next == null && table.finish()) {
            try (table) {
                inMemory(left, table);
            }
            return;
        }
        table.closeKeys();
        RightRest rest = new RightRest(layout, table, next, right, allocator);
        SideKeys rightKeys = SideKeys.right(layout, 0, allocator);
        PartitionFiles rights = spread(rest, rightKeys, layout.right());
        PartitionFiles lefts =
                spread(left, SideKeys.left(layout, 0, allocator), layout.left());
        try {
            for (int i = 0; i < lefts.count(); i++) {
                partition(lefts.file(i), rights.file(i));
            }
        } finally {
            lefts.close();
            rights.close();
        }
    }

    private RightTable table() {
        return new RightTable(layout, layout.right(), 0, allocator, holding);
    }

    private PartitionFiles spread(
            io.spillway.batch.PollStream<RecordBatch> input, SideKeys keys, RowSchema schema) {
        PartitionWriter writer =
                new PartitionWriter(
                        keys,
                        schema,
                        1,
                        null,
                        memory,
                        context.spill(),
                        holding,
                        allocator);
        try (Partitioning spreading = new Partitioning(input, writer, holding)) {
            while (true) {
                if (spreading.poll() instanceof Poll.Output<PartitionFiles>(PartitionFiles files)) {
                    return files;
                }
            }
        }
    }

    private void partition(@Nullable SpillFile left, @Nullable SpillFile right) {
        if (left == null || right == null) {
            return;
        }
        try (RightTable table = table();
                BatchStream rows = right.read(allocator)) {
            for (RecordBatch next = SpillReads.next(rows);
                    next != null;
                    next = SpillReads.next(rows)) {
                if (!table.add(next)) {
                    next.close();
                    throw new IllegalStateException("a partition does not fit");
                }
            }
            if (!table.finish()) {
                throw new IllegalStateException("a partition does not fit");
            }
            try (BatchStream lefts = left.read(allocator)) {
                probe(lefts, table);
            }
        }
    }

    private void probe(BatchStream left, RightTable table) {
        try (ProbeLane lane =
                new ProbeLane(
                        layout,
                        Emit.PAIRS,
                        table,
                        layout.left().size(),
                        layout.schema(),
                        0,
                        memory.size(),
                        allocator)) {
            while (true) {
                RecordBatch batch;
                synchronized (left) {
                    batch = SpillReads.next(left);
                }
                if (batch == null) {
                    return;
                }
                lane.begin(batch);
                while (lane.hasNext()) {
                    try (RecordBatch rows = lane.next()) {
                        out.accept(rows);
                    }
                }
            }
        }
    }

    private void inMemory(BatchStream left, RightTable table) {
        List<CompletableFuture<Void>> lanes = new ArrayList<>();
        for (int i = 0; i < memory.lanes(); i++) {
            lanes.add(
                    CompletableFuture.runAsync(
                            () -> probe(Objects.requireNonNull(left), table),
                            task -> Thread.ofPlatform().start(task)));
        }
        lanes.forEach(CompletableFuture::join);
    }
}
