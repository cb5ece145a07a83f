package io.spillway.sink.parquet;

import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.bytes.ByteBufferAllocator;

/**
 * Gives parquet-java's writers memory of an Arrow allocator, so that it is accounted like all other
 * memory for data, and knows how much they have. Not thread-safe.
 */
final class PageMemory implements ByteBufferAllocator, AutoCloseable {

    private final BufferAllocator allocator;

    /** By object: buffers are equal when their bytes are. */
    private final IdentityHashMap<ByteBuffer, ArrowBuf> held = new IdentityHashMap<>();

    private long bytes;

    PageMemory(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** Bytes that the writers have now. */
    long bytes() {
        return bytes;
    }

    @Override
    public ByteBuffer allocate(int size) {
        ArrowBuf buffer = allocator.buffer(size);
        ByteBuffer view = buffer.nioBuffer(0, size);
        held.put(view, buffer);
        bytes += buffer.capacity();
        return view;
    }

    @Override
    public void release(ByteBuffer view) {
        ArrowBuf buffer = held.remove(view);
        if (buffer != null) {
            bytes -= buffer.capacity();
            buffer.close();
        }
    }

    @Override
    public boolean isDirect() {
        return true;
    }

    /** Frees what writers that were given up still have. */
    @Override
    public void close() {
        held.values().forEach(ArrowBuf::close);
        held.clear();
        bytes = 0;
    }
}
