package io.spillway.web;

import io.spillway.cursor.EventIds;
import io.spillway.encode.CappedFormat;
import io.spillway.encode.GroupFormat;
import io.spillway.encode.RowFormat;
import io.spillway.job.Reading;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events that is to be sent.
 *
 * @param reading what is read, written as events
 * @param ids the job's
 * @param end what the {@code end} event tells; asked when all rows have been read
 */
record EventAnswer(Reading reading, EventIds ids, End end) {

    /** Tells the end. */
    @FunctionalInterface
    interface End {

        /**
         * A document.
         *
         * @param next the position that would come next
         * @param rowCount the number of rows of the job, or of the split of it, if it is known
         */
        Object at(long next, @Nullable Long rowCount);
    }

    /** How the rows are written. */
    RowFormat format() {
        return reading.format();
    }

    /** Whether an event that was broken off after some of its rows is as good as a whole one. */
    boolean mayBreakOff() {
        return switch (format()) {
            case GroupFormat groups -> groups.text().mayBreakOff();
            case CappedFormat capped -> capped.text().mayBreakOff();
            case RowFormat other -> throw new IllegalStateException("no events: " + other);
        };
    }
}
