package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.WorkContext;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A keyed operation at work.
 *
 * <pre>
 *   1 input       rows ─▶ {@link KeyedLevel} ─▶ rows that come out at once
 *   2 results     what comes of the keys in memory, in order of their first rows
 *   3 partitions  each partition on disk as 1 and 2, a level deeper: what comes of it is a run on
 *                 disk, in that order; what overflows again are further partitions
 *   4 merge       the runs, put in order by the numbers of the first rows
 * </pre>
 *
 * Where everything fits in memory it ends with 2. All that comes out of 2 is before all that comes
 * out of 4.
 */
final class KeyedStream implements BatchStream {

    /** What state may take in any case. */
    static final long FLOOR = 256 << 10;

    /** What a turn takes beside the state, about. */
    static final long TURN = 256 << 10;

    /** Runs that are merged at a time. */
    static final int FAN_IN = 16;

    /** Runs that are merged at a time, however large their rows are. */
    private static final int LEAST_FAN_IN = 2;

    /** Bytes of a block of a run, about; a merge holds one of each run. */
    private static final long RUN_BLOCK = 32 << 10;

    private enum Phase {
        INPUT,
        RESULTS,
        PARTITIONS,
        MERGE,
        END
    }

    private final KeyedOperation operation;
    private final BatchStream input;
    private final WorkContext context;
    private final RowSchema numbered;
    private final MemoryHolding holding;
    private final FlooredMemory memory;
    private @Nullable CompletableFuture<MemoryReservation> admission;
    private Phase phase = Phase.INPUT;
    private @Nullable KeyedLevel level;
    private long inputRows;

    /** Partitions that are on disk, the next one first. */
    private final Deque<Partition> partitions = new ArrayDeque<>();

    private @Nullable PartitionReader reader;
    private @Nullable SpillWriter run;
    private final Deque<SpillFile> runs = new ArrayDeque<>();
    private @Nullable RunMerge merge;

    KeyedStream(KeyedOperation operation, BatchStream input, WorkContext context) {
        this.operation = operation;
        this.input = input;
        this.context = context;
        this.numbered = NumberedRows.schema(operation.schema());
        this.holding = context.pool().hold("keys");
        this.memory = new FlooredMemory(FLOOR, holding);
    }

    @Override
    public RowSchema schema() {
        return operation.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (phase == Phase.END) {
            return Poll.finished();
        }
        if (admission == null) {
            admission = context.pool().admitStanding(FLOOR + TURN);
        }
        if (!admission.isDone()) {
            return Poll.blocked(admission);
        }
        if (admission.isCompletedExceptionally()) {
            throw Failures.refused(admission.exceptionNow());
        }
        return switch (phase) {
            case INPUT -> input();
            case RESULTS -> results();
            case PARTITIONS -> partition();
            case MERGE -> merge();
            case END -> Poll.finished();
        };
    }

    private KeyedLevel level(int number) {
        KeyedLevel known = level;
        if (known == null) {
            known = new KeyedLevel(operation, number, memory, context);
            level = known;
        }
        return known;
    }

    private void closeLevel() {
        KeyedLevel last = level;
        level = null;
        if (last != null) {
            last.close();
        }
    }

    private Poll<RecordBatch> input() {
        KeyedLevel keys = level(1);
        RecordBatch ready = keys.next(false);
        if (ready != null) {
            return output(ready);
        }
        boolean asked = memory.revoked().isDone();
        keys.giveWayIfAsked();
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                try (batch) {
                    keys.add(new NumberedRows(batch, inputRows, 0));
                    inputRows += batch.rowCount();
                }
                RecordBatch out = keys.next(false);
                yield out == null ? Poll.again() : output(out);
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                if (until.isDone()) {
                    yield Poll.again();
                }
                if (asked) {
                    // What is still there stays while others are waited for.
                    memory.answer();
                }
                yield Poll.blocked(CompletableFuture.anyOf(until, memory.revoked()));
            }
            case Poll.Finished<RecordBatch> _ -> {
                input.close();
                phase = Phase.RESULTS;
                yield Poll.again();
            }
        };
    }

    private Poll<RecordBatch> output(RecordBatch batch) {
        try (batch) {
            return Poll.output(NumberedRows.strip(batch, operation.schema()));
        }
    }

    /** If memory is asked back, what has not come out yet goes to disk as a run. */
    private Poll<RecordBatch> results() {
        KeyedLevel keys = level(1);
        boolean asked = memory.revoked().isDone();
        if (asked && memory.held() == 0) {
            memory.answer();
        }
        RecordBatch out = keys.next(true);
        if (out == null) {
            endLevel(keys);
            phase = partitions.isEmpty() && runs.isEmpty() ? Phase.END : Phase.PARTITIONS;
            return phase == Phase.END ? end() : Poll.again();
        }
        if (run == null && !(asked && memory.held() > 0)) {
            return output(out);
        }
        write(out);
        return Poll.again();
    }

    private Poll<RecordBatch> end() {
        phase = Phase.END;
        releaseMemory();
        return Poll.finished();
    }

    /** Ends the run, if there is one, and takes over the partitions. */
    private void endLevel(KeyedLevel keys) {
        SpillWriter writer = run;
        if (writer != null) {
            runs.add(writer.finish());
            run = null;
        }
        List<Partition> deeper = keys.finish();
        for (int i = deeper.size() - 1; i >= 0; i--) {
            partitions.addFirst(deeper.get(i));
        }
        closeLevel();
    }

    private void write(RecordBatch batch) {
        try (batch) {
            SpillWriter writer = run;
            if (writer == null) {
                writer = context.spill().create(numbered);
                run = writer;
            }
            long bytes = 1;
            for (int i = 0; i < numbered.size(); i++) {
                bytes += batch.column(i).bytes();
            }
            int rows = batch.rowCount();
            int step = Math.clamp(rows * RUN_BLOCK / bytes, 1, Math.max(1, rows));
            for (int from = 0; from < rows; from += step) {
                try (RecordBatch part = batch.slice(from, Math.min(step, rows - from))) {
                    writer.append(part);
                }
            }
        }
    }

    private Poll<RecordBatch> partition() {
        PartitionReader open = reader;
        if (open == null) {
            Partition next = partitions.poll();
            if (next == null) {
                phase = Phase.MERGE;
                return Poll.again();
            }
            open = new PartitionReader(next, context.pool().allocator());
            reader = open;
        }
        KeyedLevel keys = level(open.level() + 1);
        RecordBatch ready = keys.next(open.isAtEnd());
        if (ready != null) {
            write(ready);
        } else if (open.isAtEnd()) {
            open.close();
            reader = null;
            endLevel(keys);
        } else {
            keys.giveWayIfAsked();
            open.addNext(keys);
        }
        return Poll.again();
    }

    private Poll<RecordBatch> merge() {
        RunMerge merging = merge;
        if (merging == null) {
            List<SpillFile> files = new ArrayList<>();
            long bytes = 0;
            while (!runs.isEmpty() && files.size() < FAN_IN) {
                bytes += Math.max(RUN_BLOCK, runs.element().batchBytes());
                if (files.size() >= LEAST_FAN_IN && bytes > FLOOR + TURN) {
                    break;
                }
                files.add(runs.remove());
            }
            merging =
                    new RunMerge(
                            numbered,
                            files,
                            context.batchRows(),
                            FLOOR + TURN,
                            context.pool().allocator());
            merge = merging;
        }
        boolean last = runs.isEmpty() && run == null;
        return switch (merging.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                if (last) {
                    yield output(batch);
                }
                write(batch);
                yield Poll.again();
            }
            case Poll.Blocked<RecordBatch> blocked -> blocked;
            case Poll.Finished<RecordBatch> _ -> {
                merging.close();
                merge = null;
                SpillWriter writer = run;
                if (writer == null) {
                    yield end();
                }
                runs.add(writer.finish());
                run = null;
                yield Poll.again();
            }
        };
    }

    @Override
    public void release() {
        input.release();
    }

    private void releaseMemory() {
        holding.close();
        CompletableFuture<MemoryReservation> last = admission;
        if (last != null && !last.cancel(false) && !last.isCompletedExceptionally()) {
            last.join().close();
        }
    }

    @Override
    public void close() {
        phase = Phase.END;
        input.close();
        closeLevel();
        if (reader != null) {
            reader.close();
            reader = null;
        }
        partitions.forEach(Partition::close);
        partitions.clear();
        if (run != null) {
            run.close();
            run = null;
        }
        runs.forEach(SpillFile::close);
        runs.clear();
        if (merge != null) {
            merge.close();
            merge = null;
        }
        releaseMemory();
    }
}
