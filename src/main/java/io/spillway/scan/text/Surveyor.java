package io.spillway.scan.text;

import io.spillway.scan.InferredColumns;

/** Looks through the records of one partition. Used by one thread. */
public interface Surveyor extends AutoCloseable {

    /**
     * Takes in the records that begin in {@code [from, limit]} and end by {@code to}.
     *
     * @param from where a record begins
     * @param last whether the text ends at {@code to}, so that a record may end there without a
     *     line's end
     * @return the address behind the last record that was taken in: beyond {@code limit}, or where
     *     a record begins that does not end by {@code to}, or {@code to}
     * @throws TextFault for what is no record
     */
    long survey(long from, long limit, long to, boolean last);

    /** Records so far. */
    long rows();

    /** What they tell of the columns. */
    InferredColumns inferred();

    @Override
    void close();
}
