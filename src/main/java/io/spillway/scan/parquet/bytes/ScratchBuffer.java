package io.spillway.scan.parquet.bytes;

import io.spillway.scan.bytes.Buffers;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Memory that a decoder uses again and again, as much as the largest request so far. */
public final class ScratchBuffer implements AutoCloseable {

    private final BufferAllocator allocator;
    private @Nullable ArrowBuf buffer;

    /** An empty buffer. */
    public ScratchBuffer(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /**
     * The address of at least so many bytes, and {@link Buffers#PADDING} behind them; what is in
     * them is undefined.
     */
    public long atLeast(long bytes) {
        long needed = bytes + Buffers.PADDING;
        ArrowBuf there = buffer;
        if (there == null || there.capacity() < needed) {
            close();
            there = Buffers.allocate(allocator, needed);
            buffer = there;
        }
        return there.memoryAddress();
    }

    /** As {@link #atLeast}, but what is in them is kept; grows by doubling. */
    public long grown(long bytes) {
        ArrowBuf there = buffer;
        if (there == null) {
            return atLeast(bytes);
        }
        there = Buffers.grow(allocator, there, bytes + Buffers.PADDING);
        buffer = there;
        return there.memoryAddress();
    }

    @Override
    public void close() {
        ArrowBuf there = buffer;
        if (there != null) {
            buffer = null;
            there.close();
        }
    }
}
