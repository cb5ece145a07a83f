package io.spillway.encode;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Groups as server-sent events (the event stream format of the HTML standard), each a JSON array:
 *
 * <pre>
 *   event: rows
 *   data: [ROW,ROW,…]
 *   id: ID
 *   (an empty line)
 * </pre>
 *
 * JSON text has no line breaks, since a string's are escaped: an event's data is always one line.
 *
 * @param ids the event id for the position that comes next, on one line
 */
public record RowEvents(LongFunction<String> ids) implements GroupText {

    private static final byte[] OPEN = GroupText.utf8("event: rows\ndata: [");

    @Override
    public byte[] open(long first) {
        return OPEN;
    }

    @Override
    public byte[] close(long first, long end, @Nullable ShortReason shortReason) {
        return GroupText.utf8("]\nid: " + ids.apply(end) + "\n\n");
    }

    @Override
    public boolean mayBreakOff() {
        return true;
    }

    @Override
    public boolean isEvents() {
        return true;
    }
}
