package io.spillway.encode;

import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The buffer that the rows of a chunk are written to, and that then is the chunk: as large as a
 * chunk may be, or as its first row, with {@link TextBuffer#SLACK} bytes behind it that may be
 * touched.
 */
final class RowMemory implements AutoCloseable {

    private final int usual;
    private @Nullable BufferAllocator allocator;
    private @Nullable ArrowBuf buffer;

    /** Bytes of all rows. */
    int end;

    /**
     * No memory yet.
     *
     * @param usual bytes that a chunk has at most, unless its first row has more
     */
    RowMemory(int usual) {
        this.usual = usual;
    }

    /**
     * Begins a chunk.
     *
     * @param from where its memory comes from
     */
    void begin(BufferAllocator from) {
        close();
        allocator = from;
    }

    /**
     * Makes room for the first row, and as many others as fit a usual chunk.
     *
     * @throws io.spillway.error.SpillwayException {@code MEMORY_LIMIT}
     */
    void reserve(long firstRow) {
        buffer = EncodedChunk.buffer(Math.max(usual, firstRow) + TextBuffer.SLACK, allocator());
    }

    private BufferAllocator allocator() {
        BufferAllocator from = allocator;
        if (from == null) {
            throw new IllegalStateException("no chunk");
        }
        return from;
    }

    /** Makes a row that was written elsewhere the only one. */
    void set(TextBuffer row) {
        reserve(row.end);
        OffHeap.write(row.bytes, 0, address(), row.end);
        end = row.end;
    }

    /** Where the first row begins, once there is room for it. */
    long address() {
        return buffer().memoryAddress();
    }

    private ArrowBuf buffer() {
        ArrowBuf made = buffer;
        if (made == null) {
            throw new IllegalStateException("no rows");
        }
        return made;
    }

    /**
     * The rows as a chunk, the caller's. One that would leave half of its memory empty moves to a
     * buffer of its size.
     *
     * @param rows how many there are
     */
    EncodedChunk take(long rows) {
        if (rows == 0) {
            return new EncodedChunk(EncodedChunk.buffer(0, allocator()), 0, 0);
        }
        ArrowBuf full = buffer();
        int length = end;
        if (length > full.capacity() / 2) {
            buffer = null;
            return new EncodedChunk(full, length, rows);
        }
        ArrowBuf fitting = EncodedChunk.buffer(length, allocator());
        OffHeap.copy(full.memoryAddress(), fitting.memoryAddress(), length);
        return new EncodedChunk(fitting, length, rows);
    }

    /** Gives back what no chunk has taken over. */
    @Override
    public void close() {
        end = 0;
        ArrowBuf left = buffer;
        buffer = null;
        if (left != null) {
            left.close();
        }
    }
}
