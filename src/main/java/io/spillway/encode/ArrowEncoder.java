package io.spillway.encode;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rows as messages of an Arrow IPC stream, each a record batch: {@link ArrowFormat}. A batch is one
 * message, and is cut only where that would be larger than {@value #MESSAGE_BYTES} bytes; an exact
 * one never.
 *
 * <p>Columns are laid out first, which tells how large the message is, and then written straight
 * into the chunk. Memory on the heap: four bytes a value of encoded columns, and of nested ones in
 * which nulls hide values; 32 KiB; and the message's metadata.
 */
final class ArrowEncoder implements BatchEncoder {

    /** Bytes of a message, unless a single row has more. A power of two, as Arrow allocates. */
    static final int MESSAGE_BYTES = 4 << 20;

    /** Room for the metadata, even of a thousand columns. */
    static final int BODY_BYTES = MESSAGE_BYTES - (64 << 10);

    private final RowSchema schema;
    private final ArrowNode[] columns;
    private final @Nullable BatchNames batches;
    private final ArrowLayout layout = new ArrowLayout();

    ArrowEncoder(RowSchema schema, ArrowFormat format) {
        this.schema = schema;
        this.batches = format.batches();
        Utf8Memory utf8 = new Utf8Memory();
        columns = new ArrowNode[schema.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = ArrowNode.of(schema.column(i).type(), format.replaceInvalidText(), utf8);
        }
    }

    @Override
    public EncodedChunk encode(
            RecordBatch batch, long firstRow, int from, int to, BufferAllocator allocator) {
        Objects.checkFromToIndex(from, to, batch.rowCount());
        if (from == to) {
            return EncodedChunk.of(new byte[0], 0, 0, allocator);
        }
        int count = batches == null ? to - from : batches.inBatch(firstRow + from, to - from);
        List<ArrowNode.Write> writes = layOut(batch, from, count);
        while (batches == null && layout.body() > BODY_BYTES && count > 1) {
            count = Math.clamp(count * (long) BODY_BYTES / layout.body(), 1, count - 1);
            writes = layOut(batch, from, count);
        }
        return message(writes, firstRow, from, count, allocator);
    }

    private List<ArrowNode.Write> layOut(RecordBatch batch, int from, int count) {
        layout.clear();
        List<ArrowNode.Write> writes = new ArrayList<>(columns.length);
        for (int i = 0; i < columns.length; i++) {
            writes.add(
                    switch (batch.column(i)) {
                        case ColumnVector.Plain(var vector) ->
                                columns[i].layout(vector, new Picks.Run(from, count), layout);
                        case ColumnVector.Encoded(var indices, var dictionary) ->
                                columns[i].layout(
                                        dictionary.values(),
                                        Picks.entries(indices, from, count),
                                        layout);
                    });
        }
        return writes;
    }

    private EncodedChunk message(
            List<ArrowNode.Write> writes,
            long firstRow,
            int from,
            int count,
            BufferAllocator allocator) {
        long first = firstRow + from;
        byte[] head =
                layout.head(
                        count,
                        batches == null
                                ? Map.of()
                                : batches.metadata(
                                        first,
                                        first + count,
                                        count < batches.size() ? ShortReason.END : null));
        long length = head.length + layout.body();
        if (length > Integer.MAX_VALUE) {
            throw new SpillwayException(
                            ErrorCode.MEMORY_LIMIT,
                            "%,d rows in one message take %,d bytes, over %,d"
                                    .formatted(count, length, Integer.MAX_VALUE))
                    .with(SpillwayException.ROW, from)
                    .with(SpillwayException.LIMIT, Integer.MAX_VALUE);
        }
        ArrowBuf buffer = EncodedChunk.buffer(length, allocator);
        try {
            OffHeap.write(head, 0, buffer.memoryAddress(), head.length);
            long body = buffer.memoryAddress() + head.length;
            for (int i = 0; i < columns.length; i++) {
                int invalid = writes.get(i).to(body);
                if (invalid >= 0) {
                    throw Utf8Text.invalid(schema.column(i).name(), from + invalid);
                }
            }
            layout.pad(body);
            return new EncodedChunk(buffer, (int) length, count);
        } catch (Throwable t) {
            buffer.close();
            throw t;
        }
    }

    /** Buffers are on the heap: there is nothing to free. */
    @Override
    public void close() {}
}
