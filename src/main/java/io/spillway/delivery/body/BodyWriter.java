package io.spillway.delivery.body;

import io.spillway.batch.RecordBatch;
import io.spillway.error.SpillwayException;
import io.spillway.group.Cut;
import org.jspecify.annotations.Nullable;

/**
 * Makes one body of the rows that it is given. One that has come upon a row that cannot be written
 * goes on to where the batch ends, and has no body then. One thread at a time; owns what it has
 * made.
 */
sealed interface BodyWriter extends AutoCloseable permits TextBody, ArrowBody {

    /** Bytes that it is likely to hold, at most, once it has {@linkplain #add added} some rows. */
    long need(RecordBatch batch);

    /**
     * Adds rows {@code [from, to)} of a batch as far as they belong to the body, or some of them.
     *
     * @param first number of the batch's first row
     * @return how many; at least one unless the body is {@linkplain #isComplete complete} now
     */
    int add(RecordBatch batch, long first, int from, int to);

    /** Whether the body has its last row. */
    boolean isComplete();

    /** Will have no body, for a reason; only goes on to where the batch ends. */
    void spoil(SpillwayException reason);

    /** Why there is no body; null if there is one so far. */
    @Nullable SpillwayException spoilt();

    /** The rows that it has, with what made them fewer than they could be; null if it has none. */
    @Nullable Cut cut();

    /**
     * The body, which takes over what was made of it.
     *
     * @param cut of its rows
     * @param memory that has been asked for, taken over
     */
    Body finish(Cut cut, Allowance memory);

    @Override
    void close();
}
