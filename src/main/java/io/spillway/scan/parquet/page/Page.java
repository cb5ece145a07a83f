package io.spillway.scan.parquet.page;

import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The decompressed bytes of one page, followed by {@link Buffers#PADDING} bytes that can be read.
 * Holds a reference to the buffer they are in; a buffer of its own is used again for the next page.
 *
 * <p>Bytes may be decompressed as late as they are asked for. What is {@linkplain #take taken} is
 * there, and what is looked at {@linkplain #at from the next byte on} is there to the page's end;
 * who can do with less asks for it ({@link #need}). Bytes never move.
 *
 * <pre>
 * page   | taken     | there               | as soon as it is asked for |
 *                    at                    ready                        end
 * </pre>
 */
public final class Page implements AutoCloseable {

    /** Where the bytes of a page come from that are not there yet. */
    public interface Body extends AutoCloseable {

        /**
         * Makes a page's first bytes be there; bytes that were stay as they are.
         *
         * @param page address of its first byte
         * @param least how many are asked for
         * @return how many are there, no fewer
         * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}
         */
        int fill(long page, int least);

        /** Nothing more will be asked for. */
        @Override
        void close();
    }

    private final BufferAllocator allocator;
    private final Place place;
    private @Nullable ArrowBuf own;
    private @Nullable ArrowBuf borrowed;

    /** What is not there yet, or null if all is. */
    private @Nullable Body body;

    /** The first byte, the next to be read, the one after those that are there, and the end. */
    private long start;

    private long at;
    private long ready;
    private long end;

    /** A page without bytes yet. */
    public Page(BufferAllocator allocator, Place place) {
        this.allocator = allocator;
        this.place = place;
    }

    /** Makes room for a page of so many bytes, and points to them; what is in them is undefined. */
    public long allocate(int bytes) {
        make(bytes);
        return at;
    }

    /**
     * Makes room for a page of so many bytes, of which none is there yet.
     *
     * @param later where they come from; taken over
     */
    public void allocate(int bytes, Body later) {
        try {
            make(bytes);
        } catch (RuntimeException e) {
            later.close();
            throw e;
        }
        body = later;
        ready = start;
    }

    private void make(int bytes) {
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
    }

    /** Points to bytes of another buffer, and keeps it alive while it does. */
    void borrow(ArrowBuf buffer, long address, int bytes) {
        release();
        buffer.getReferenceManager().retain();
        borrowed = buffer;
        point(address, bytes);
    }

    private void point(long address, int bytes) {
        start = address;
        at = address;
        end = address + bytes;
        ready = end;
    }

    private void release() {
        ArrowBuf buffer = borrowed;
        if (buffer != null) {
            borrowed = null;
            buffer.getReferenceManager().release();
        }
        closeBody();
        start = 0;
        at = 0;
        ready = 0;
        end = 0;
    }

    private void closeBody() {
        Body source = body;
        if (source != null) {
            body = null;
            source.close();
        }
    }

    /** Where it stands, for errors. */
    public Place place() {
        return place;
    }

    /**
     * Address of the next byte; from there on all bytes are there.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}
     */
    public long at() {
        need(end);
        return at;
    }

    /** Address of the next byte, which need not be there yet. */
    public long next() {
        return at;
    }

    /**
     * Makes bytes be there.
     *
     * @param to the address after the last one, not behind the page's end
     * @return the address up to which bytes are there, which may be further on
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}
     */
    public long need(long to) {
        if (to > ready) {
            fill(to);
        }
        return ready;
    }

    private void fill(long to) {
        Body source = body;
        if (source == null || to > end) {
            throw new IllegalArgumentException("bytes behind the page's end");
        }
        ready = start + source.fill(start, (int) (to - start));
        if (ready == end) {
            closeBody();
        }
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
     * Passes over bytes and tells where they start; they are there.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if there are fewer, or they
     *     cannot be decompressed
     */
    public long take(long bytes) {
        if (bytes < 0 || bytes > end - at) {
            throw place.corrupt("A page ends before its values");
        }
        long taken = at;
        at += bytes;
        need(at);
        return taken;
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
