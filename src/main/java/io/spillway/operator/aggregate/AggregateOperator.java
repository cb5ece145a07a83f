package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.WorkContext;
import java.util.ArrayList;
import java.util.List;

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

    public AggregateOperator {
        keys = List.copyOf(keys);
        calls = List.copyOf(calls);
    }

    /**
     * {@inheritDoc}
     *
     * @throws io.spillway.error.SpillwayException {@code TYPE_MISMATCH} for a call with an order by
     *     what has none, a map for instance; the inputs stay the caller's then
     */
    @Override
    public BatchStream over(List<BatchStream> inputs, WorkContext context) {
        List<Branch> branches = Branch.of(this);
        SharedInput shared = new SharedInput(inputs.getFirst());
        List<BatchStream> streams = new ArrayList<>();
        List<ColumnSchema> keyColumns = schema.columns().subList(0, keys.size());
        for (Branch branch : branches) {
            List<ColumnSchema> callColumns =
                    branch.results().stream().map(i -> schema.column(keys.size() + i)).toList();
            streams.add(
                    branch.over(
                            shared.reader(branch.input().columns(), branch.input().schema()),
                            keyColumns,
                            callColumns,
                            context));
        }
        return new BranchStream(schema, keys.size(), branches, streams, shared);
    }
}
