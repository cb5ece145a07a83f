package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.WorkContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Groups of rows with equal keys, and what is computed of each; the groups come out in the order in
 * which they first appear.
 *
 * @param input the columns that keys and calls are over
 * @param keys positions of columns; with none all rows are one group, which there is even if there
 *     is no row
 * @param calls what is computed
 * @param schema the keys' columns, then one for each call
 */
public record AggregateOperator(
        RowSchema input, List<Integer> keys, List<AggregateCall> calls, RowSchema schema)
        implements BlockingOperator {

    /** What part of the pool's memory the beginnings of all parts may take. */
    private static final int SHARE = 8;

    public AggregateOperator {
        keys = List.copyOf(keys);
        calls = List.copyOf(calls);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The parts of an aggregation that are computed on their own work side by side, over one
     * reading of the input, if all have memory to begin with; else one after the other, with what
     * each gives on disk.
     *
     * @throws io.spillway.error.SpillwayException {@code TYPE_MISMATCH} for a call with an order by
     *     what has none, a map for instance; the inputs stay the caller's then
     */
    @Override
    public BatchStream over(List<BatchStream> inputs, WorkContext context) {
        List<Branch> branches = Branch.of(this);
        List<StagedStream> stages = new ArrayList<>();
        UnaryOperator<BatchStream> steps = UnaryOperator.identity();
        BranchInput shared;
        if (branches.stream().mapToLong(Branch::bytes).sum() > context.pool().limit() / SHARE) {
            StagedStream staged = new StagedStream(inputs.getFirst(), context);
            stages.add(staged);
            shared = new StagedInput(staged);
            steps =
                    stream -> {
                        StagedStream stage = new StagedStream(stream, context);
                        stages.add(stage);
                        return stage;
                    };
        } else {
            shared = new SharedInput(inputs.getFirst());
        }
        List<BatchStream> streams = new ArrayList<>();
        List<ColumnSchema> keyColumns = schema.columns().subList(0, keys.size());
        for (Branch branch : branches) {
            List<ColumnSchema> callColumns =
                    branch.results().stream().map(i -> schema.column(keys.size() + i)).toList();
            BatchStream rows = shared.reader(branch.input());
            streams.add(steps.apply(branch.over(rows, keyColumns, callColumns, steps, context)));
        }
        return new BranchStream(schema, keys.size(), branches, streams, stages, shared);
    }
}
