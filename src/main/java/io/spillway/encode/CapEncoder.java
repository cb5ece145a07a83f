package io.spillway.encode;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The two halves of writing rows in a {@link CappedFormat}: the texts of rows, which any number of
 * encoders make in parallel, and putting them into groups, which is done in the rows' order.
 */
public final class CapEncoder implements AutoCloseable {

    private final MeasuredEncoder rows;
    private final MeasuredRows.Weights weights;

    /**
     * An encoder for one thread at a time.
     *
     * @param weights taken over
     */
    public CapEncoder(RowSchema schema, CappedFormat format, MeasuredRows.Weights weights) {
        this.rows =
                MeasuredEncoder.elements(
                        schema, format.rows(), GroupEncoder.chunkBytes(format.text()));
        this.weights = weights;
    }

    /**
     * The texts of rows {@code [from, to)} of a batch, as many as make a chunk.
     *
     * @param first position of the batch's first row
     */
    public MeasuredRows encode(
            RecordBatch batch, long first, int from, int to, BufferAllocator allocator) {
        return rows.encode(batch, first, from, to, weights, allocator);
    }

    /**
     * Puts rows into groups: copies them with what belongs around them. The rows are taken over;
     * those before them have been put into groups of the same format.
     *
     * @return the groups' text as far as it is known; the last one stays open
     */
    public static EncodedChunk group(
            MeasuredRows taken, CappedFormat format, BufferAllocator allocator) {
        try (MeasuredRows rows = taken) {
            Groups groups = new Groups(rows, format.text());
            for (int i = 0; i < rows.rows(); i++) {
                groups.at = i;
                format.progress()
                        .add(rows.first() + i, rows.end(i) - rows.start(i), rows.weight(i), groups);
            }
            groups.copyTo((int) rows.length());
            return EncodedChunk.of(groups.out.bytes, groups.out.end, rows.rows(), allocator);
        }
    }

    /** Copies rows with what stands around their groups. */
    private static final class Groups implements CapProgress.Borders {

        private final MeasuredRows rows;
        private final GroupText text;
        private final TextBuffer out;
        private int copied;

        /** The row that comes next. */
        private int at;

        Groups(MeasuredRows rows, GroupText text) {
            this.rows = rows;
            this.text = text;
            this.out = new TextBuffer((int) rows.length() + (1 << 10));
        }

        @Override
        public void opened(long row) {
            copyTo(rows.start(at));
            out.append(text.open(row));
            // Without its comma.
            copied++;
        }

        @Override
        public void closed(long from, long end, @Nullable ShortReason shortReason) {
            copyTo(shortReason == null ? rows.end(at) : rows.start(at));
            out.append(text.close(from, end, shortReason));
        }

        private void copyTo(int end) {
            int bytes = end - copied;
            out.reserve(bytes);
            rows.chunk().bytes().getBytes(copied, out.bytes, out.end, bytes);
            out.end += bytes;
            copied = end;
        }
    }

    @Override
    public void close() {
        weights.close();
    }

    /** What closes the group that is open; empty if none is. */
    static byte[] tail(CappedFormat format, long end) {
        CapProgress progress = format.progress();
        return progress.isOpen()
                ? format.text().close(progress.first(), end, ShortReason.END)
                : new byte[0];
    }
}
