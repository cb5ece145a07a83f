package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.operator.Operator;
import java.util.OptionalLong;

/**
 * The rows of a plan, by number. Immutable; any number of streams may be open, each with an order
 * and content that depend on nothing but the plan: for every {@code from} and {@code to}, a stream
 * gives exactly the rows that a full stream has there.
 */
public sealed interface RowSource permits PartitionedSource, SerialSource, LimitSource {

    RowSchema schema();

    /** The number of rows, if it is known without executing anything. */
    OptionalLong rowCount();

    /** Number of partitions that a full stream reads. */
    int partitions();

    /**
     * Rows {@code [from, to)}, as far as there are. Nothing runs before the first pull.
     *
     * @param from first row, ≥ 0
     * @param to row after the last, ≥ from; {@code Long.MAX_VALUE} for all
     */
    BatchStream open(long from, long to, ReadContext context);

    /**
     * Rows {@code [offset, offset + rows)} of this source as a source of their own; never
     * overflows.
     */
    RowSource slice(long offset, long rows);

    /** This source with an operator on top. */
    RowSource with(Operator operator);
}
