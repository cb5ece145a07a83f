package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.WorkContext;

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

    @Override
    public BatchStream over(List<BatchStream> inputs, WorkContext context) {
        return new KeyedStream(
                new Aggregation(input, keys, calls, schema), inputs.getFirst(), context);
    }
}
