package io.spillway.rows;

/** What is known of where the rows that come of one run of input rows are. Thread-safe. */
sealed interface PartPlaces permits AllPlaces, Checkpoints {

    /** The number of rows that come of all of it, or -1 if that is not known yet. */
    long rows();

    /** The number of rows, from the first one on, whose places are known. */
    long placed();

    /** The last known place before which no more than {@code row} rows have come out. */
    Place before(long row);

    /**
     * The first known input row by which {@code row} rows have come out, or -1 if there is none.
     */
    long after(long row);
}
