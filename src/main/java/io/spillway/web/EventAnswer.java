package io.spillway.web;

import io.spillway.cursor.EventIds;
import io.spillway.encode.CappedFormat;
import io.spillway.encode.GroupFormat;
import io.spillway.encode.RowFormat;
import io.spillway.job.Reading;
import java.util.function.LongFunction;

/**
 * A stream of events that is to be sent.
 *
 * @param reading what is read, written as events
 * @param ids the job's
 * @param end what the {@code end} event tells, by the position that would come next; asked when all
 *     rows have been read
 */
record EventAnswer(Reading reading, EventIds ids, LongFunction<Object> end) {

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
