package io.spillway.encode;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What stands around the rows of a group, on one line except for what ends it. */
public sealed interface GroupText permits RowEvents, BatchLines, BatchEvents {

    /**
     * In front of a group's first row, up to and with the bracket that opens the array.
     *
     * @param first position of that row
     */
    byte[] open(long first);

    /**
     * Behind a group's last row, from the bracket on that closes the array.
     *
     * @param first position of the group's first row
     * @param end position after its last one
     * @param shortReason why it has fewer rows than others; null if it has not
     */
    byte[] close(long first, long end, @Nullable ShortReason shortReason);

    /** Whether a group that was broken off after some of its rows is as good as a whole one. */
    boolean mayBreakOff();

    /**
     * Whether the groups are server-sent events, of which each ends with an empty line; there may
     * be thousands of readers of these, most of which take little at a time.
     */
    boolean isEvents();

    /** Text as it is sent. */
    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
