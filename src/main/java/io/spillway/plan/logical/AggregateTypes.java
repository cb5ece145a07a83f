package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.operator.aggregate.AggregateFunction;

/** The types that {@link AggregateFunction}s give. */
final class AggregateTypes {

    private static final int MAX_DIGITS = 38;
    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final ColumnType FLOAT64 = new ColumnType.FloatingPoint(64);

    private AggregateTypes() {}

    /**
     * The type of a result.
     *
     * @param argument the argument's type; any for functions without one
     * @param nullable whether the argument may be null
     */
    static ColumnType of(AggregateFunction function, ColumnType argument, boolean nullable) {
        return switch (function) {
            case COUNT, COUNT_ROWS, APPROX_COUNT_DISTINCT -> INT64;
            case SUM -> sum(argument);
            case AVG, STDDEV_SAMP, STDDEV_POP, VAR_SAMP, VAR_POP, PERCENTILE_CONT -> FLOAT64;
            case MIN, MAX, PERCENTILE_DISC, ANY_VALUE, FIRST, LAST, SINGLE_VALUE -> argument;
            case BOOL_AND, BOOL_OR -> new ColumnType.Bool();
            case ARRAY_AGG -> new ColumnType.ListOf(argument, nullable);
        };
    }

    /** The type in which numbers are added. */
    static ColumnType sum(ColumnType argument) {
        return switch (argument) {
            case ColumnType.Decimal(int _, int scale) -> new ColumnType.Decimal(MAX_DIGITS, scale);
            case ColumnType.FloatingPoint _ -> FLOAT64;
            default -> INT64;
        };
    }
}
