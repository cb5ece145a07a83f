package io.spillway.operator.join;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.partition.RunWriter;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The rows of many runs by their numbers. If there are more runs than memory lets read at a time,
 * neighbours are merged into larger ones first; when memory is asked back, that is done with those
 * that are left.
 */
final class MergedRuns implements PollStream<RecordBatch> {

    /** Runs of a merge that the join's base has memory for. */
    private static final int MIN_RUNS = 2;

    private static final int MAX_RUNS = 64;

    private final RowSchema schema;
    private final JoinMemory memory;
    private final SpillSpace space;
    private final MemoryHolding holding;
    private final BufferAllocator allocator;
    private List<Run> runs;
    private long held;

    /** How many runs are merged at a time; 0 before that is known. */
    private int most;

    private @Nullable RunMerge merge;
    private @Nullable Pass pass;
    private boolean finished;

    /**
     * Takes over the runs' files.
     *
     * @param schema of the runs: numbers, then columns
     */
    MergedRuns(
            RowSchema schema,
            List<SpillFile> runs,
            JoinMemory memory,
            SpillSpace space,
            MemoryHolding holding,
            BufferAllocator allocator) {
        this.schema = schema;
        this.runs = runs.stream().map(Run::new).toList();
        this.memory = memory;
        this.space = space;
        this.holding = holding;
        this.allocator = allocator;
    }

    /** One pass over the runs: neighbours become one. */
    private final class Pass implements AutoCloseable {

        private final List<Run> left = new ArrayList<>(runs);
        private final List<Run> done = new ArrayList<>();
        private final RunWriter writer = new RunWriter(space, schema);
        private List<Run> group = List.of();
        private @Nullable RunMerge merging;

        /** One turn; false when the pass is over. */
        boolean step() {
            RunMerge now = merging;
            if (now == null) {
                if (left.size() <= 1) {
                    done.addAll(left);
                    left.clear();
                    return false;
                }
                group = List.copyOf(left.subList(0, Math.min(most, left.size())));
                merging = new RunMerge(schema, group, memory.size(), allocator);
                return true;
            }
            try (RecordBatch batch = now.next()) {
                if (batch != null) {
                    writer.append(batch);
                    return true;
                }
            }
            now.close();
            merging = null;
            SpillFile file = writer.finish();
            if (file != null) {
                done.add(new Run(file));
            }
            left.subList(0, group.size()).clear();
            group.forEach(run -> run.file().close());
            return true;
        }

        /** All runs that there are now. */
        List<Run> all() {
            List<Run> all = new ArrayList<>(done);
            all.addAll(left);
            return all;
        }

        @Override
        public void close() {
            if (merging != null) {
                merging.close();
            }
            writer.close();
        }
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (finished) {
            return Poll.finished();
        }
        if (holding.revoked().isDone()) {
            giveWay();
        }
        RunMerge now = merge;
        if (now == null) {
            plan();
            return Poll.again();
        }
        RecordBatch batch = now.next();
        if (batch != null) {
            return Poll.output(batch);
        }
        close();
        return Poll.finished();
    }

    /** Goes on with as little memory as it can. */
    private void giveWay() {
        RunMerge now = merge;
        if (now != null) {
            runs = now.rest();
            merge = null;
            now.close();
        }
        endPass();
        most = MIN_RUNS;
        holding.shrink(held);
        held = 0;
    }

    /** One turn towards a merge of all. */
    private void plan() {
        Pass now = pass;
        if (now != null) {
            if (!now.step()) {
                endPass();
            }
            return;
        }
        if (most == 0) {
            most = MIN_RUNS;
            int wanted = Math.min(MAX_RUNS, runs.size());
            long source = sourceBytes();
            while (most < wanted && holding.tryGrow(source)) {
                held += source;
                most++;
            }
        }
        if (runs.size() > most) {
            pass = new Pass();
        } else {
            merge = new RunMerge(schema, runs, memory.size(), allocator);
        }
    }

    /** What reading a run takes: more than is usual if its rows are large. */
    private long sourceBytes() {
        long largest = 0;
        for (Run run : runs) {
            largest = Math.max(largest, run.file().batchBytes());
        }
        return Math.max(memory.sourceBytes(), 2 * largest);
    }

    private void endPass() {
        Pass now = pass;
        if (now == null) {
            return;
        }
        runs = now.all();
        pass = null;
        now.close();
    }

    @Override
    public void close() {
        finished = true;
        endPass();
        RunMerge now = merge;
        merge = null;
        if (now != null) {
            now.close();
        }
        runs.forEach(run -> run.file().close());
        holding.shrink(held);
        held = 0;
    }
}
