package io.spillway.operator.sort;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.WorkContext;
import io.spillway.operator.key.SortKey;
import java.util.List;

/**
 * The input's rows in the order of keys; rows that no key tells apart keep their order.
 *
 * <p>Batches have {@link WorkContext#batchRows()} rows, fewer where these would take over a MiB.
 *
 * @param keys in descending significance; may be none
 * @param rows how many rows come out, from the first on; {@code Long.MAX_VALUE} for all
 * @param schema of the input and the output
 */
public record SortOperator(List<SortKey> keys, long rows, RowSchema schema)
        implements BlockingOperator {

    public SortOperator {
        keys = List.copyOf(keys);
        if (rows < 0) {
            throw new IllegalArgumentException(rows + " rows");
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws io.spillway.error.SpillwayException {@code TYPE_MISMATCH} for a key without an order:
     *     a map, or what holds one; the inputs stay the caller's then
     */
    @Override
    public BatchStream over(List<BatchStream> inputs, WorkContext context) {
        SortShape shape = SortShape.of(this, context);
        shape.encoder().close();
        return new SortStream(inputs.getFirst(), shape, context);
    }
}
