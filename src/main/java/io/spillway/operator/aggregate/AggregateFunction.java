package io.spillway.operator.aggregate;

/**
 * What is computed of a group of rows. Unless said otherwise a function has one argument, leaves
 * out its nulls, and is null if nothing is left.
 */
public enum AggregateFunction {
    /** How many rows there are in which no argument is null: int64. One argument or more. */
    COUNT,
    /** How many rows there are: int64. No argument. */
    COUNT_ROWS,
    /**
     * The sum: int64 of integers, decimal(38,s) of decimal(p,s), float64 of floats. Only a total
     * that does not fit is an error.
     */
    SUM,
    /** The mean: float64; of integers and decimals that of the exact sum. */
    AVG,
    /** The least value, of the argument's type; NaN is the greatest number. */
    MIN,
    /** The greatest value, of the argument's type; NaN is the greatest number. */
    MAX,
    /** Sample standard deviation: float64, null for fewer than two values. */
    STDDEV_SAMP,
    /** Population standard deviation: float64. */
    STDDEV_POP,
    /** Sample variance: float64, null for fewer than two values. */
    VAR_SAMP,
    /** Population variance: float64. */
    VAR_POP,
    /**
     * The value at a fraction of the ordered values, interpolated between two: float64. The one
     * parameter is the fraction, a float64 from 0 to 1; the one key of the order is the argument's
     * column with its direction.
     */
    PERCENTILE_CONT,
    /**
     * The first of the ordered values that has at least a fraction of them up to it, of the
     * argument's type; parameter and order as those of {@link #PERCENTILE_CONT}.
     */
    PERCENTILE_DISC,
    /** The first value that is not null, of the argument's type. */
    ANY_VALUE,
    /** The first row's value, in the order of the call or else of the input; it may be null. */
    FIRST,
    /** The last row's value, in the order of the call or else of the input; it may be null. */
    LAST,
    /**
     * All values, nulls too, in the order of the call or else of the input: a list; null, not
     * empty, if there is no row.
     */
    ARRAY_AGG,
    /** Whether all values are true: bool. */
    BOOL_AND,
    /** Whether any value is true: bool. */
    BOOL_OR,
    /** About how many different values there are: int64, 0 if there is none. */
    APPROX_COUNT_DISTINCT,
    /**
     * The value of the only row, of the argument's type, null if there is no row; more than one row
     * is an error. What a sub-query in place of a value is.
     */
    SINGLE_VALUE
}
