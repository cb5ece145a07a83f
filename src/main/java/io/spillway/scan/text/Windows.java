package io.spillway.scan.text;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.bytes.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A text as one window of memory after the other. What is left of a window, the beginning of a
 * record, stands in front of the next one. A window is filled on a virtual thread, perhaps while
 * the one before is looked at.
 *
 * <pre>
 * |   room for what is left   |          bytes that are read          | padding |
 *                       from ─┘                                   to ─┘
 * </pre>
 */
final class Windows implements AutoCloseable {

    /** A window that is being filled. The filling thread has a reference of its own. */
    private record Fill(ArrowBuf buffer, CompletableFuture<Integer> done) {}

    private final TextBytes bytes;
    private final BufferAllocator allocator;
    private final int room;
    private final int length;
    private final int most;

    private @Nullable ArrowBuf buffer;
    private @Nullable Fill next;
    private long from;
    private long to;
    private boolean last;

    /**
     * @param bytes taken over
     * @param window bytes of a read
     * @param most that may be left of a window
     */
    Windows(TextBytes bytes, BufferAllocator allocator, int window, int most) {
        this.bytes = bytes;
        this.allocator = allocator;
        this.room = TextSettings.OVERLAP - Buffers.PADDING;
        this.length = window;
        this.most = most;
    }

    /** Bytes of a window's buffer. */
    static long bytes(int window) {
        return Buffers.rounded((long) TextSettings.OVERLAP + window);
    }

    /** The first byte that is there. */
    long from() {
        return from;
    }

    /** The address behind the last byte that is there. */
    long to() {
        return to;
    }

    /** Whether the text ends at {@link #to()}. */
    boolean last() {
        return last;
    }

    /** Starts to read the next window, if that is not done yet and there is one. */
    void readAhead() {
        if (next != null || last) {
            return;
        }
        ArrowBuf into = Buffers.allocate(allocator, (long) room + length + Buffers.PADDING);
        Fill fill = new Fill(into, new CompletableFuture<>());
        into.getReferenceManager().retain();
        Thread.ofVirtual().name("spillway-read").start(() -> fill(fill));
        next = fill;
    }

    private void fill(Fill fill) {
        try {
            int there = bytes.read(fill.buffer.memoryAddress() + room, length);
            fill.buffer.close();
            fill.done.complete(there);
        } catch (Throwable t) {
            fill.buffer.close();
            fill.done.completeExceptionally(t);
        }
    }

    /** Done when {@link #advance} may be called. */
    CompletableFuture<?> waiting() {
        Fill fill = next;
        return fill == null ? CompletableFuture.completedFuture(null) : fill.done;
    }

    /**
     * Goes on to the next window, which has been read.
     *
     * @param kept the first byte that is still wanted
     * @throws TextFault if too much is left
     */
    void advance(long kept) {
        Fill fill = next;
        if (fill == null) {
            throw new IllegalStateException("no window is being read");
        }
        next = null;
        int there;
        try {
            there = fill.done.join();
        } catch (CompletionException e) {
            fill.buffer.close();
            throw Failures.typed(e);
        }
        long left = to - kept;
        ArrowBuf into = fill.buffer;
        long start = into.memoryAddress() + room;
        try {
            if (left > most) {
                throw TextFault.corrupt(
                        kept, "has a record of more than %,d bytes".formatted(most));
            }
            if (left > room) {
                ArrowBuf larger = Buffers.allocate(allocator, left + there + Buffers.PADDING);
                OffHeap.copy(start, larger.memoryAddress() + left, there);
                into.close();
                into = larger;
                start = larger.memoryAddress() + left;
            }
            if (left > 0) {
                OffHeap.copy(kept, start - left, left);
            }
        } catch (Throwable t) {
            into.close();
            throw t;
        }
        from = start - left;
        to = start + there;
        last = there < length || bytes.atEnd();
        ArrowBuf before = buffer;
        buffer = into;
        if (before != null) {
            before.close();
        }
    }

    @Override
    public void close() {
        ArrowBuf held = buffer;
        if (held != null) {
            buffer = null;
            held.close();
        }
        Fill fill = next;
        if (fill == null) {
            bytes.close();
            return;
        }
        next = null;
        fill.buffer.close();
        bytes.cancel();
        var _ = fill.done.whenComplete((there, failure) -> bytes.close());
    }
}
