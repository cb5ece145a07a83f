package io.spillway.encode;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import org.apache.arrow.memory.BufferAllocator;

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
            CapProgress progress = format.progress();
            TextBuffer out = new TextBuffer((int) rows.length() + (1 << 10));
            int copied = 0;
            for (int i = 0; i < rows.rows(); i++) {
                int start = rows.start(i);
                // Without its comma.
                long size = rows.end(i) - start - 1L;
                long position = rows.first() + i;
                String shortReason = progress.before(size, rows.weight(i), format.caps());
                if (shortReason != null) {
                    copy(rows.chunk(), copied, start, out);
                    copied = start;
                    out.append(format.text().close(progress.first(), position, shortReason));
                    progress.close();
                }
                if (!progress.isOpen()) {
                    out.append(format.text().open(position));
                    copied = start + 1;
                }
                progress.add(position, size, rows.weight(i));
                if (progress.isFull(format.caps())) {
                    copy(rows.chunk(), copied, rows.end(i), out);
                    copied = rows.end(i);
                    out.append(format.text().close(progress.first(), position + 1, null));
                    progress.close();
                }
            }
            copy(rows.chunk(), copied, (int) rows.length(), out);
            return EncodedChunk.of(out.bytes, out.end, rows.rows(), allocator);
        }
    }

    @Override
    public void close() {
        weights.close();
    }

    private static void copy(EncodedChunk from, int start, int end, TextBuffer to) {
        int bytes = end - start;
        to.reserve(bytes);
        from.bytes().getBytes(start, to.bytes, to.end, bytes);
        to.end += bytes;
    }

    /** What closes the group that is open; empty if none is. */
    static byte[] tail(CappedFormat format, long end) {
        CapProgress progress = format.progress();
        return progress.isOpen()
                ? format.text().close(progress.first(), end, BatchNames.END)
                : new byte[0];
    }
}
