package io.spillway.encode;

import java.util.function.LongFunction;

/**
 * Rows as server-sent events (the event stream format of the HTML standard), each a JSON array of
 * as many rows. Where an event starts depends on row numbers alone:
 *
 * <pre>
 *   event: rows
 *   data: [ROW,ROW,…]
 *   id: ID
 *   (an empty line)
 * </pre>
 *
 * The last event may be shorter; {@link BatchEncoders#tail} closes it.
 *
 * @param rows how each row is written; its layout does not matter
 * @param origin row number of the first row of the first event
 * @param rowsPerEvent rows of every event but the last, at least 1
 * @param ids the event id for the number of the row that comes next, on one line
 */
public record EventFormat(JsonFormat rows, long origin, int rowsPerEvent, LongFunction<String> ids)
        implements RowFormat {

    public EventFormat {
        if (rowsPerEvent < 1) {
            throw new IllegalArgumentException("events of " + rowsPerEvent + " rows");
        }
    }
}
