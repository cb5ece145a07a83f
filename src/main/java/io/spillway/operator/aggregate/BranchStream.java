package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What comes out of branches, side by side: all have the same groups in the same order. Branches
 * take turns, so that none waits for rows that another has to read first.
 */
final class BranchStream implements BatchStream {

    private final RowSchema schema;
    private final List<BatchStream> streams;
    private final BranchInput shared;

    /** What is done before anything comes out, one after the other. */
    private final List<StagedStream> stages;

    private int stage;

    /** For each column that comes out its branch, and its place there. */
    private final int[] branchOf;

    private final int[] columnOf;

    /** What each branch has given that has not come out yet. */
    private final @Nullable RecordBatch[] given;

    private final boolean[] finished;

    BranchStream(
            RowSchema schema,
            int keys,
            List<Branch> branches,
            List<BatchStream> streams,
            List<StagedStream> stages,
            BranchInput shared) {
        this.schema = schema;
        this.streams = List.copyOf(streams);
        this.stages = List.copyOf(stages);
        this.shared = shared;
        this.given = new RecordBatch[streams.size()];
        this.finished = new boolean[streams.size()];
        this.branchOf = new int[schema.size()];
        this.columnOf = new int[schema.size()];
        for (int k = 0; k < keys; k++) {
            columnOf[k] = k;
        }
        for (int b = 0; b < branches.size(); b++) {
            Branch branch = branches.get(b);
            for (int i = 0; i < branch.results().size(); i++) {
                int column = keys + branch.results().get(i);
                branchOf[column] = b;
                columnOf[column] = (branch.sorted() ? 0 : keys) + i;
            }
        }
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        while (stage < stages.size()) {
            Poll<RecordBatch> turn = stages.get(stage).write();
            if (turn != null) {
                return turn;
            }
            stage++;
        }
        List<CompletableFuture<?>> waits = new ArrayList<>();
        boolean moved = false;
        for (int b = 0; b < given.length; b++) {
            if (given[b] != null || finished[b]) {
                continue;
            }
            switch (streams.get(b).poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    moved = true;
                    if (batch.rowCount() == 0) {
                        batch.close();
                    } else {
                        given[b] = batch;
                    }
                }
                case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                    moved |= until.isDone();
                    waits.add(until);
                }
                case Poll.Finished<RecordBatch> _ -> {
                    moved = true;
                    finished[b] = true;
                }
            }
        }
        int rows = ready();
        if (rows > 0) {
            return Poll.output(next(rows));
        }
        if (rows < 0) {
            return Poll.finished();
        }
        return moved || waits.isEmpty()
                ? Poll.again()
                : Poll.blocked(CompletableFuture.anyOf(waits.toArray(CompletableFuture<?>[]::new)));
    }

    /** Rows that all branches have given; -1 if all are at their end. */
    private int ready() {
        int rows = Integer.MAX_VALUE;
        int ended = 0;
        for (int b = 0; b < given.length; b++) {
            RecordBatch batch = given[b];
            rows = Math.min(rows, batch == null ? 0 : batch.rowCount());
            ended += batch == null && finished[b] ? 1 : 0;
        }
        if (ended == given.length) {
            return -1;
        }
        if (ended > 0 && Arrays.stream(given).anyMatch(batch -> batch != null)) {
            throw new IllegalStateException(
                    "the branches of an aggregation differ in their groups");
        }
        return rows;
    }

    private RecordBatch next(int rows) {
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            for (int i = 0; i < schema.size(); i++) {
                RecordBatch batch = given[branchOf[i]];
                if (batch != null) {
                    columns.add(batch.column(columnOf[i]).slice(0, rows));
                }
            }
            RecordBatch out = new RecordBatch(schema, columns, rows);
            columns = List.of(); // they are the batch's now
            drop(rows, out);
            return out;
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private void drop(int rows, RecordBatch out) {
        try {
            for (int b = 0; b < given.length; b++) {
                RecordBatch batch = given[b];
                if (batch != null) {
                    given[b] =
                            batch.rowCount() == rows
                                    ? null
                                    : batch.slice(rows, batch.rowCount() - rows);
                    batch.close();
                }
            }
        } catch (Throwable t) {
            out.close();
            throw t;
        }
    }

    @Override
    public void release() {
        streams.forEach(BatchStream::release);
    }

    @Override
    public void close() {
        streams.forEach(BatchStream::close);
        shared.close();
        for (int b = 0; b < given.length; b++) {
            RecordBatch batch = given[b];
            given[b] = null;
            if (batch != null) {
                batch.close();
            }
        }
    }
}
