package io.spillway.web;

import io.spillway.cursor.EventIds;
import io.spillway.encode.GroupFormat;
import io.spillway.job.Reading;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events that is to be sent.
 *
 * @param reading what is read
 * @param format how rows are written as events; the reading's
 * @param ids the job's
 * @param end what the {@code end} event tells; asked when all rows have been read
 */
record EventAnswer(Reading reading, GroupFormat format, EventIds ids, End end) {

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
}
