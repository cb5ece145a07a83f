package io.spillway.scan.parquet.bytes;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.scan.parquet.page.FirstReads;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a column chunk, through a window that moves forward. Never waits. Used by one thread at
 * a time.
 *
 * <pre>
 * chunk    | page | page | page | page        | page | page | page     |
 * window   [---------------------------]
 * fetch                         [------|--- read in the background ---]
 * </pre>
 *
 * What is not wholly in the window makes the next one begin with it: what is there of it is copied
 * over, and the rest is read on a virtual thread, from when half of the window has been passed. So
 * there are two windows at most. The buffer of the first may be shared with other chunks, see
 * {@link FirstReads}.
 */
public final class ChunkBytes implements AutoCloseable {

    private final OpenFile file;
    private final BufferAllocator allocator;
    private final int windowBytes;
    private @Nullable ArrowBuf window;
    private long windowStart;
    private long windowEnd;
    private @Nullable Fetch fetch;

    /**
     * @param windowBytes what is read at once, unless more is asked for at once
     */
    public ChunkBytes(OpenFile file, BufferAllocator allocator, int windowBytes) {
        this.file = file;
        this.allocator = allocator;
        this.windowBytes = windowBytes;
    }

    /** Is a page whose checksum is not that of its bytes an error? */
    public boolean verifiesChecksums() {
        return file.verifiesChecksums();
    }

    /** Bytes of one read, at most, if more is not asked for at once. */
    public int windowBytes() {
        return windowBytes;
    }

    /** Takes part in a read that has begun; only before anything is asked for. */
    public void begin(Fetch shared) {
        fetch = shared;
    }

    /**
     * Whether bytes of the file are in the window; begins to read them if they are not. Positions
     * never go back.
     *
     * @param end where the bytes end that may be read on the way
     * @throws io.spillway.error.SpillwayException why they cannot be read
     */
    public boolean has(long from, long bytes, long end) {
        while (window == null || from < windowStart || from + bytes > windowEnd) {
            Fetch under = fetch;
            if (under == null) {
                begin(from, bytes, end);
                dropWindow();
                return false;
            }
            if (from < under.position() || from >= under.end()) {
                fetch = null;
                under.abandon();
            } else if (under.done().isDone()) {
                fetch = null;
                ArrowBuf read = under.take();
                dropWindow();
                window = read;
                windowStart = under.position();
                windowEnd = under.end();
            } else {
                return false;
            }
        }
        return true;
    }

    /**
     * Begins to read the next window early.
     *
     * @param from the first byte in the window that is wanted beside what comes after it, or
     *     something behind the window
     * @param end where the bytes end that may be read
     */
    public void ahead(long from, long end) {
        if (fetch == null && from < end) {
            begin(from, 1, end);
        }
    }

    /** Whether so much of the window has been passed that the next one should be begun. */
    public boolean isTimeForNext(long at) {
        return window != null && fetch == null && at - windowStart >= windowEnd - at;
    }

    private void begin(long from, long bytes, long end) {
        int length = (int) Math.min(end - from, Math.max(windowBytes, bytes));
        ArrowBuf buffer = Buffers.allocate(allocator, (long) length + Buffers.PADDING);
        int present = 0;
        if (window != null && from >= windowStart && from < windowEnd) {
            present = (int) Math.min(length, windowEnd - from);
            OffHeap.copy(address(from), buffer.memoryAddress(), present);
        }
        fetch = Fetch.start(file, buffer, from, present, length);
    }

    /** What to wait for after {@link #has} said no. */
    public CompletableFuture<?> waiting() {
        Fetch under = fetch;
        return under == null ? CompletableFuture.completedFuture(null) : under.done();
    }

    /** Where the window ends, in the file. */
    public long end() {
        return windowEnd;
    }

    /** Where a byte of the window is in memory. */
    public long address(long position) {
        return buffer().memoryAddress() + (position - windowStart);
    }

    /** The window's buffer; still this object's. */
    public ArrowBuf buffer() {
        ArrowBuf buffer = window;
        if (buffer == null) {
            throw new IllegalStateException("no window");
        }
        return buffer;
    }

    /** Lets the window go, unless a byte of it may be asked for again. */
    public void dropWindow() {
        ArrowBuf buffer = window;
        if (buffer != null) {
            window = null;
            buffer.close();
        }
    }

    /** Gives up what is under way, and frees the window. */
    @Override
    public void close() {
        Fetch under = fetch;
        if (under != null) {
            fetch = null;
            under.abandon();
        }
        dropWindow();
    }
}
