package io.spillway.operator.join;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryHolding;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The rows of many runs, and of {@linkplain RunMerge reserves}, by their numbers. If there are more
 * of them than memory lets read at a time, neighbours are merged into larger ones first; when
 * memory is asked back, that is done with those that are left.
 */
final class MergedRuns implements PollStream<RecordBatch> {

    /** Sources of a merge that the join's base has memory for. */
    private static final int MIN_SOURCES = 2;

    private static final int MAX_SOURCES = 64;

    private final RowSchema schema;
    private final UnaryOperator<RecordBatch> form;
    private final JoinMemory memory;
    private final SpillSpace space;
    private final MemoryHolding holding;
    private final BufferAllocator allocator;
    private List<Run> runs;
    private List<Run> reserves;
    private final RowSchema reserveSchema;
    private long held;
    private int sources;
    private long decided = -1;
    private @Nullable RunMerge merge;
    private @Nullable Pass pass;
    private boolean finished;

    /**
     * Takes over the runs' files.
     *
     * @param schema of what comes out: numbers, then columns
     * @param reserveSchema of the reserves
     * @param form makes batches of the schema of those of the reserves
     */
    MergedRuns(
            RowSchema schema,
            List<SpillFile> runs,
            RowSchema reserveSchema,
            List<SpillFile> reserves,
            UnaryOperator<RecordBatch> form,
            JoinMemory memory,
            SpillSpace space,
            MemoryHolding holding,
            BufferAllocator allocator) {
        this.schema = schema;
        this.runs = runs.stream().map(Run::new).toList();
        this.reserveSchema = reserveSchema;
        this.reserves = reserves.stream().map(Run::new).toList();
        this.form = form;
        this.memory = memory;
        this.space = space;
        this.holding = holding;
        this.allocator = allocator;
    }

    /** One pass over a list of runs: neighbours become one. */
    private final class Pass implements AutoCloseable {

        private final boolean ofReserves;
        private final List<Run> left;
        private final List<Run> done = new ArrayList<>();
        private List<Run> group = List.of();
        private @Nullable RunMerge merging;
        private RunWriter writer;

        Pass(boolean ofReserves) {
            this.ofReserves = ofReserves;
            this.left = new ArrayList<>(ofReserves ? reserves : runs);
            this.writer = new RunWriter(space, ofReserves ? reserveSchema : schema);
        }

        /** One turn; false when the pass is over. */
        boolean step() {
            RunMerge now = merging;
            if (now == null) {
                if (left.size() <= 1) {
                    done.addAll(left);
                    left.clear();
                    return false;
                }
                group = List.copyOf(left.subList(0, Math.min(sources, left.size())));
                merging =
                        new RunMerge(
                                ofReserves ? reserveSchema : schema,
                                group,
                                List.of(),
                                form,
                                -1,
                                memory.size(),
                                allocator);
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
        List<Run> runs() {
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
            runs = now.rest(false);
            reserves = now.rest(true);
            decided = now.decided();
            merge = null;
            now.close();
        }
        endPass();
        sources = MIN_SOURCES;
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
        if (sources == 0) {
            sources = MIN_SOURCES;
            int wanted = Math.min(MAX_SOURCES, runs.size() + reserves.size());
            while (sources < wanted && holding.tryGrow(memory.sourceBytes())) {
                held += memory.sourceBytes();
                sources++;
            }
        }
        int mostReserves = Math.min(reserves.size(), sources / 2);
        if (runs.size() > sources - mostReserves) {
            pass = new Pass(false);
        } else if (reserves.size() > mostReserves && runs.size() + reserves.size() > sources) {
            pass = new Pass(true);
        } else {
            merge = new RunMerge(schema, runs, reserves, form, decided, memory.size(), allocator);
        }
    }

    private void endPass() {
        Pass now = pass;
        if (now == null) {
            return;
        }
        if (now.ofReserves) {
            reserves = now.runs();
        } else {
            runs = now.runs();
        }
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
        reserves.forEach(run -> run.file().close());
        holding.shrink(held);
        held = 0;
    }
}
