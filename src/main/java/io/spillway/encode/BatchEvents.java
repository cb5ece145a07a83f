package io.spillway.encode;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Groups as server-sent events of the type {@code batch}, whose data is the object of {@link
 * BatchLines}.
 *
 * @param names what each says of itself
 * @param ids the event id for the position that comes next, on one line; null if a client cannot go
 *     on there
 */
public record BatchEvents(BatchNames names, @Nullable LongFunction<String> ids)
        implements GroupText {

    @Override
    public byte[] open(long first) {
        return GroupText.utf8("event: batch\ndata: " + names.before(first));
    }

    @Override
    public byte[] close(long first, long end, @Nullable ShortReason shortReason) {
        String id = ids == null ? "" : "id: " + ids.apply(end) + "\n";
        return GroupText.utf8(names.behind(first, end, shortReason) + "\n" + id + "\n");
    }

    @Override
    public boolean mayBreakOff() {
        return false;
    }

    @Override
    public boolean isEvents() {
        return true;
    }
}
