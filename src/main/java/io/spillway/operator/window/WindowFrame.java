package io.spillway.operator.window;

import io.spillway.expression.Expression;
import org.jspecify.annotations.Nullable;

/**
 * The rows of its partition that a function sees from a row: those from one bound to another, both
 * included, which may be none. Part of stored plans.
 *
 * @param unit what bounds count
 */
public record WindowFrame(Unit unit, Bound start, Bound end) {

    /** All rows of the partition. */
    public static final WindowFrame PARTITION =
            new WindowFrame(
                    Unit.ROWS,
                    new Bound(Bound.Kind.UNBOUNDED_PRECEDING, null),
                    new Bound(Bound.Kind.UNBOUNDED_FOLLOWING, null));

    /** What bounds count. */
    public enum Unit {
        /** Rows; the current row is one row. */
        ROWS,
        /**
         * Differences of the one order key, which is a number, a date, a time or a timestamp if a
         * bound has an offset; the current row is all of its peers. A row whose key is null (or
         * NaN) has its peers for a bound with an offset.
         */
        RANGE
    }

    /**
     * One end of a frame.
     *
     * @param offset how far {@link Kind#PRECEDING} and {@link Kind#FOLLOWING} are away, else null:
     *     never negative; an int64 if rows are counted; else of the order key's type if that is a
     *     number, and an int64 of days or of the key's unit if it is a date, time or timestamp
     */
    public record Bound(Kind kind, Expression.@Nullable Literal offset) {

        /** Where it is, seen from the current row. */
        public enum Kind {
            UNBOUNDED_PRECEDING,
            PRECEDING,
            CURRENT_ROW,
            FOLLOWING,
            UNBOUNDED_FOLLOWING
        }
    }
}
