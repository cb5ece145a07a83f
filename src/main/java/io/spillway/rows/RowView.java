package io.spillway.rows;

/**
 * Rows of a job as one reader wants them: a sequence of its own, in which positions 0, 1, 2, …
 * stand for rows of the job. What a reader gives and where it is are told by positions.
 */
public sealed interface RowView permits RowView.All, Shard, AnyOrder {

    /**
     * Number of the row at a position; the largest number if it would overflow. Where rows are
     * repeated, and beyond the end, it goes on counting. Of no meaning where rows come in no order.
     */
    long row(long position);

    /**
     * The row whose place has to be known before the rows from a position on can be read; {@code
     * Long.MAX_VALUE} if all rows have to be counted.
     */
    long needs(long position);

    /**
     * How many positions there are.
     *
     * @param rows how many rows the job has
     */
    long end(long rows);

    /**
     * How many of the job's rows are in no such view, of whatever shard.
     *
     * @param rows how many rows the job has
     */
    default long dropped(long rows) {
        return 0;
    }

    /** Whether a position gives the same row each time it is read. */
    boolean isOrdered();

    /** All rows in their order, each at the position that is its number. */
    record All() implements RowView {

        @Override
        public long row(long position) {
            return position;
        }

        @Override
        public long needs(long position) {
            return position;
        }

        @Override
        public long end(long rows) {
            return rows;
        }

        @Override
        public boolean isOrdered() {
            return true;
        }
    }

    /** The sum of two numbers that are not negative, or the largest one if it would overflow. */
    static long plus(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /**
     * The product of two numbers that are not negative, or the largest one if it would overflow.
     */
    static long times(long a, long b) {
        return b != 0 && a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
    }
}
