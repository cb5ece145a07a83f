package io.spillway.encode;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.LongFunction;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows as the events that {@link EventFormat} tells. The rows' texts are made first, one behind the
 * other, and then copied with the events' framing between them. What stands around a row depends on
 * its number alone, so an event may span batches, chunks and encoders.
 *
 * <p>JSON text has no line breaks, since a string's are escaped: an event's data is always one
 * line.
 *
 * <p>Memory on the heap is that of {@link TextRows}, and {@value #CHUNK_BYTES} bytes more.
 */
final class EventEncoder implements BatchEncoder {

    /** Smaller than others: every reader that has stalled keeps one, and there may be thousands. */
    static final int CHUNK_BYTES = 16 << 10;

    private static final byte[] OPEN = utf8("event: rows\ndata: [");
    private static final byte[] CLOSE = utf8("]\nid: ");
    private static final byte[] END = utf8("\n\n");

    private final long origin;
    private final int rowsPerEvent;
    private final LongFunction<String> ids;
    private final TextRows rows;
    private final TextBuffer events = new TextBuffer(CHUNK_BYTES);

    EventEncoder(RowSchema schema, EventFormat format) {
        origin = format.origin();
        rowsPerEvent = format.rowsPerEvent();
        ids = format.ids();
        rows = new TextRows(schema, JsonSyntax.bare(schema, format.rows()), CHUNK_BYTES);
    }

    @Override
    public EncodedChunk encode(
            RecordBatch batch, long firstRow, int from, int to, BufferAllocator allocator) {
        Objects.checkFromToIndex(from, to, batch.rowCount());
        try {
            int made = rows.fill(batch, from, to, framing(firstRow + to), allocator);
            int framed = frame(firstRow + from, made);
            return EncodedChunk.of(events.bytes, events.end, framed, allocator);
        } finally {
            rows.release();
            events.trim(CHUNK_BYTES);
        }
    }

    /** About how many bytes stand around each row: all of an event's, divided among its rows. */
    private int framing(long next) {
        long event = (long) OPEN.length + CLOSE.length + ids.apply(next).length() + END.length;
        return 1 + (int) ((event + rowsPerEvent - 1) / rowsPerEvent);
    }

    /**
     * Copies rows with what belongs around them.
     *
     * @param first number of the first row
     * @return how many; fewer if their framing is larger than was thought
     */
    private int frame(long first, int count) {
        events.end = 0;
        int start = 0;
        long inEvent = (first - origin) % rowsPerEvent;
        for (int i = 0; i < count; i++) {
            int mark = events.end;
            if (inEvent == 0) {
                events.append(OPEN);
            } else {
                events.append(',');
            }
            int end = rows.end(i);
            events.append(rows.address() + start, end - start);
            start = end;
            inEvent++;
            if (inEvent == rowsPerEvent) {
                close(events, ids.apply(first + i + 1));
                inEvent = 0;
            }
            if (events.end > CHUNK_BYTES && i > 0) {
                events.end = mark;
                return i;
            }
        }
        return count;
    }

    /** What closes an event that is open after the row before {@code end}; empty if none is. */
    static byte[] tail(EventFormat format, long end) {
        TextBuffer tail = new TextBuffer(0);
        if (end > format.origin() && (end - format.origin()) % format.rowsPerEvent() != 0) {
            close(tail, format.ids().apply(end));
        }
        return tail.toByteArray();
    }

    private static void close(TextBuffer out, String id) {
        out.append(CLOSE);
        out.append(utf8(id));
        out.append(END);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Between two chunks, all that is kept is on the heap: there is nothing to free. */
    @Override
    public void close() {}
}
