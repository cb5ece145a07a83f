package io.spillway.scan.parquet.page;

import io.spillway.scan.parquet.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The decompressed bytes of one page, followed by {@link Buffers#PADDING} bytes that can be read.
 * Holds a reference to the buffer they are in; a buffer of its own is used again for the next page.
 */
public final class Page implements AutoCloseable {

    private final BufferAllocator allocator;
    private final Place place;
    private @Nullable ArrowBuf own;
    private @Nullable ArrowBuf borrowed;

    /** The next byte to be read, and the one after the last. */
    private long at;

    private long end;

    /** A page without bytes yet. */
    public Page(BufferAllocator allocator, Place place) {
        this.allocator = allocator;
        this.place = place;
    }

    /** Makes room for a page of so many bytes, and points to them; what is in them is undefined. */
    public long allocate(int bytes) {
        release();
        ArrowBuf buffer = own;
        if (buffer == null || buffer.capacity() < (long) bytes + Buffers.PADDING) {
            if (buffer != null) {
                own = null;
                buffer.close();
            }
            buffer = Buffers.allocate(allocator, (long) bytes + Buffers.PADDING);
            own = buffer;
        }
        point(buffer.memoryAddress(), bytes);
        return at;
    }

    /** Points to bytes of another buffer, and keeps it alive while it does. */
    void borrow(ArrowBuf buffer, long address, int bytes) {
        release();
        buffer.getReferenceManager().retain();
        borrowed = buffer;
        point(address, bytes);
    }

    private void point(long address, int bytes) {
        at = address;
        end = address + bytes;
    }

    private void release() {
        ArrowBuf buffer = borrowed;
        if (buffer != null) {
            borrowed = null;
            buffer.getReferenceManager().release();
        }
        at = 0;
        end = 0;
    }

    /** Where it stands, for errors. */
    public Place place() {
        return place;
    }

    /** Address of the next byte. */
    public long at() {
        return at;
    }

    /** Address after the last byte. */
    public long end() {
        return end;
    }

    /** Bytes that are left. */
    public long remaining() {
        return end - at;
    }

    /**
     * Passes over bytes and tells where they start.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if there are fewer
     */
    public long take(long bytes) {
        if (bytes < 0 || bytes > end - at) {
            throw place.corrupt("A page ends before its values");
        }
        long start = at;
        at += bytes;
        return start;
    }

    @Override
    public void close() {
        release();
        ArrowBuf buffer = own;
        if (buffer != null) {
            own = null;
            buffer.close();
        }
    }
}
