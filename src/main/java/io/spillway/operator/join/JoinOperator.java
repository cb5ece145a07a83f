package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.WorkContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of two inputs that belong together: in the order of the left input, the matches of one row
 * in the order of the right one, right rows without a match last. Without keys and without a
 * condition all pairs match.
 *
 * <p>It is a hash join that builds on the right input, since the left one gives the order, and
 * streams the left one past it. What of the right input does not fit in memory, and what of the
 * left one must wait for it, is partitioned to disk: see {@link SpilledJoin}.
 *
 * <p>The condition is asked about pairs whose keys match, and only about these; of {@link
 * JoinType#SEMI} and {@link JoinType#ANTI} perhaps not about those that come after the first match
 * of a left row.
 *
 * @param keys what must be equal; columns of a pair have one type
 * @param condition over left columns followed by right columns; null for all pairs
 * @param left columns of the first input
 * @param right columns of the second input
 * @param schema left columns, then right ones; left ones alone if the type has no right ones
 */
public record JoinOperator(
        JoinType type,
        List<JoinKey> keys,
        @Nullable Expression condition,
        RowSchema left,
        RowSchema right,
        RowSchema schema)
        implements BlockingOperator {

    public JoinOperator {
        keys = List.copyOf(keys);
        int columns = left.size() + (type.hasRight() ? right.size() : 0);
        if (schema.size() != columns) {
            throw new IllegalArgumentException(
                    schema.size() + " columns come out of a join of " + columns);
        }
    }

    @Override
    public BatchStream over(List<BatchStream> inputs, WorkContext context) {
        return new JoinStream(JoinLayout.of(this), inputs.get(0), inputs.get(1), context);
    }
}
