package io.spillway.rows;

import io.spillway.error.SpillwayException;
import io.spillway.execution.Lane;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows, a chunk at a time. What it keeps between batches (scratch, formatted dictionaries)
 * is dropped while it is idle.
 */
final class EncodeLane<O extends AutoCloseable> implements Lane<NumberedRows, O> {

    private final Supplier<RangeEncoder<O>> encoders;
    private final RowView view;
    private final ChunkRows chunkRows;
    private final BufferAllocator allocator;
    private @Nullable RangeEncoder<O> encoder;

    /** What comes next; then it is {@link #part}. */
    private @Nullable NumberedRows item;

    private @Nullable BatchPart part;
    private int position;

    /** Of the part's chunks. */
    private long bytes;

    /**
     * @param view whose positions the rows have
     * @param chunkRows told how many bytes rows take
     */
    EncodeLane(
            Supplier<RangeEncoder<O>> encoders,
            RowView view,
            ChunkRows chunkRows,
            BufferAllocator allocator) {
        this.encoders = encoders;
        this.view = view;
        this.chunkRows = chunkRows;
        this.allocator = allocator;
    }

    @Override
    public void begin(NumberedRows next) {
        item = next;
    }

    @Override
    public boolean hasNext() {
        return item != null || part != null;
    }

    @Override
    public O next() {
        BatchPart rows = part();
        RangeEncoder<O> open = encoder;
        if (open == null) {
            open = encoders.get();
            encoder = open;
        }
        try {
            O encoded = open.encode(rows.batch(), rows.firstRow(), position, rows.to(), allocator);
            position += open.rows(encoded);
            bytes += open.bytes(encoded);
            if (position == rows.to()) {
                part = null;
                rows.close();
                chunkRows.took(rows.to() - rows.from(), bytes);
            }
            return encoded;
        } catch (SpillwayException e) {
            throw absolute(e, rows.firstRow());
        }
    }

    private BatchPart part() {
        NumberedRows next = item;
        if (next != null) {
            item = null;
            BatchPart taken = next.take(allocator);
            part = taken;
            position = taken.from();
            bytes = 0;
        }
        return Objects.requireNonNull(part);
    }

    /** The encoder names the row in its batch; clients know rows by number, where they have one. */
    private SpillwayException absolute(SpillwayException failure, long first) {
        if (!view.isOrdered()
                || !(failure.context().get(SpillwayException.ROW) instanceof Number row)) {
            return failure;
        }
        return failure.movedTo(SpillwayException.ROW, view.row(first + row.longValue()));
    }

    @Override
    public void idle() {
        RangeEncoder<O> open = encoder;
        encoder = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        idle();
        NumberedRows next = item;
        item = null;
        if (next != null) {
            next.close();
        }
        BatchPart open = part;
        part = null;
        if (open != null) {
            open.close();
        }
    }
}
