package io.spillway.encode;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows in groups: {@link GroupFormat}. The rows' texts are made first, one behind the other; where
 * no group begins or ends among them, that is all, else they are copied with what stands around
 * groups between them.
 *
 * <p>Memory on the heap is that of {@link TextRows}, and as many bytes more as a chunk has.
 */
final class GroupEncoder implements BatchEncoder {

    /** Smaller than others: every reader that has stalled keeps one, and there may be thousands. */
    static final int EVENT_CHUNK_BYTES = 16 << 10;

    private final GroupFormat format;
    private final GroupText text;
    private final int chunkBytes;
    private final TextRows rows;
    private final TextBuffer groups;

    GroupEncoder(RowSchema schema, GroupFormat format) {
        this.format = format;
        text = format.text();
        chunkBytes = chunkBytes(text);
        rows = new TextRows(schema, JsonSyntax.elements(schema, format.rows()), chunkBytes);
        groups = new TextBuffer(chunkBytes);
    }

    static int chunkBytes(GroupText text) {
        return text.isEvents() ? EVENT_CHUNK_BYTES : BatchEncoders.CHUNK_BYTES;
    }

    @Override
    public EncodedChunk encode(
            RecordBatch batch, long firstRow, int from, int to, BufferAllocator allocator) {
        Objects.checkFromToIndex(from, to, batch.rowCount());
        try {
            long first = firstRow + from;
            int framing = framing(firstRow + to);
            int count = rows.fill(batch, from, to, framing, around(framing), allocator);
            long inGroup = format.inGroup(first);
            if (inGroup > 0 && inGroup + count < format.size()) {
                return rows.take(count);
            }
            int framed = frame(first, count);
            return EncodedChunk.of(groups.bytes, groups.end, framed, allocator);
        } finally {
            rows.release();
            groups.trim(chunkBytes);
        }
    }

    /** The most bytes that stand around a group that begins and ends before a position. */
    private int framing(long next) {
        return text.open(next).length + text.close(next - format.size(), next, null).length;
    }

    /** About how many bytes stand around each row: all of a group's, divided among its rows. */
    private int around(int framing) {
        return 1 + framing / format.size();
    }

    /**
     * Copies rows, each of which begins with a comma, with what belongs around them.
     *
     * @return how many; fewer if what stands around them is larger than was thought
     */
    private int frame(long first, int count) {
        groups.end = 0;
        int start = 0;
        int done = 0;
        while (done < count) {
            int mark = groups.end;
            long inGroup = format.inGroup(first + done);
            if (inGroup == 0) {
                groups.append(text.open(first + done));
                start++;
            }
            int run = (int) Math.min(count - done, format.size() - inGroup);
            int end = rows.end(done + run - 1);
            groups.append(rows.address() + start, end - start);
            start = end;
            done += run;
            if (inGroup + run == format.size()) {
                long next = first + done;
                groups.append(text.close(next - format.size(), next, null));
            }
            if (groups.end > chunkBytes && done > run) {
                groups.end = mark;
                return done - run;
            }
        }
        return count;
    }

    /** What closes a group that is open in front of a position; empty if none is. */
    static byte[] tail(GroupFormat format, long end) {
        long open = end > format.origin() ? format.inGroup(end) : 0;
        return open == 0 ? new byte[0] : format.text().close(end - open, end, ShortReason.END);
    }

    /** Between two chunks, all that is kept is on the heap: there is nothing to free. */
    @Override
    public void close() {}
}
