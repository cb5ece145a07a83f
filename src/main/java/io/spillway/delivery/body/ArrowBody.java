package io.spillway.delivery.body;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.encode.ArrowFormat;
import io.spillway.encode.BatchEncoder;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.EncodedChunk;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Concat;
import io.spillway.group.Cut;
import io.spillway.group.Weights;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A body that is a stream of Arrow: its rows are collected, and written once they are all there, so
 * that messages begin and end at the same rows wherever the engine's batches do.
 */
final class ArrowBody implements BodyWriter {

    private static final ArrowFormat FORMAT = new ArrowFormat(false);

    /** Rows are held as they came, put together, and written. */
    private static final long FORMS = 3;

    private final String contentType;
    private final BufferAllocator allocator;
    private final Rows rows;
    private final List<RecordBatch> collected = new ArrayList<>();
    private @Nullable RowSchema schema;
    private @Nullable SpillwayException reason;

    ArrowBody(String contentType, BufferAllocator allocator, Rows rows) {
        this.contentType = contentType;
        this.allocator = allocator;
        this.rows = rows;
    }

    @Override
    public long need(RecordBatch batch) {
        if (reason != null) {
            return 0;
        }
        double added = (double) batch.bytes() / batch.rowCount();
        return FORMS * (collectedBytes() + (long) (added * Math.min(batch.rowCount(), rows.left())))
                + BatchEncoders.CHUNK_BYTES;
    }

    private long collectedBytes() {
        return collected.stream().mapToLong(RecordBatch::bytes).sum();
    }

    @Override
    public int add(RecordBatch batch, long first, int from, int to) {
        int column = rows.weightColumn();
        double[] weights = column < 0 ? null : Weights.of(batch.column(column));
        int most = (int) Math.min(to - from, rows.left());
        int count = 0;
        while (count < most && rows.add(0, weights == null ? 0 : weights[from + count])) {
            count++;
        }
        if (count > 0 && reason == null) {
            schema = batch.schema();
            collected.add(batch.slice(from, count));
        }
        return count;
    }

    @Override
    public boolean isComplete() {
        return rows.areComplete();
    }

    @Override
    public void spoil(SpillwayException why) {
        reason = why;
        close();
    }

    @Override
    public @Nullable SpillwayException spoilt() {
        return reason;
    }

    @Override
    public @Nullable Cut cut() {
        return rows.cut();
    }

    @Override
    public Body finish(Cut cut, Allowance memory) {
        RowSchema columns = schema;
        if (columns == null) {
            throw new IllegalStateException("no rows");
        }
        BodyParts parts = new BodyParts();
        List<EncodedChunk> messages = new ArrayList<>();
        try (RecordBatch all = Concat.concat(collected, allocator);
                BatchEncoder encoder = BatchEncoders.of(columns, FORMAT)) {
            close();
            for (int at = 0; at < all.rowCount(); ) {
                EncodedChunk message =
                        encoder.encode(all, cut.firstRow(), at, all.rowCount(), allocator);
                messages.add(message);
                at += (int) message.rows();
            }
        } catch (SpillwayException e) {
            messages.forEach(EncodedChunk::close);
            throw e.context().get(SpillwayException.ROW) instanceof Number row
                    ? e.movedTo(SpillwayException.ROW, cut.firstRow() + row.longValue())
                    : e;
        }
        memory.shrink(messages.stream().mapToLong(chunk -> chunk.bytes().capacity()).sum());
        parts.add(ByteBuffer.wrap(BatchEncoders.head(columns, FORMAT)).asReadOnlyBuffer());
        parts.add(messages, false);
        parts.add(
                ByteBuffer.wrap(BatchEncoders.tail(FORMAT, cut.firstRow() + cut.rows()))
                        .asReadOnlyBuffer());
        return parts.body(cut, contentType, memory);
    }

    @Override
    public void close() {
        collected.forEach(RecordBatch::close);
        collected.clear();
    }
}
