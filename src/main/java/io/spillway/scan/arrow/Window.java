package io.spillway.scan.arrow;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Buffers;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * What some rows of a record batch need of its buffers, in memory: parts of uncompressed buffers,
 * or all of compressed ones, decompressed. Every access is checked against what is there; 16 bytes
 * behind it can be read besides, whatever they hold.
 */
final class Window implements AutoCloseable {

    private final BatchShape shape;
    private final BufferAllocator allocator;
    private final Place place;
    private final long from;
    private final long to;
    private final @Nullable ArrowBuf[] memory;
    private final long[] starts;

    /**
     * An empty window.
     *
     * @param from the first row, within the batch
     * @param to the row after the last
     */
    Window(BatchShape shape, long from, long to, BufferAllocator allocator, Place place) {
        this.shape = shape;
        this.from = from;
        this.to = to;
        this.allocator = allocator;
        this.place = place;
        this.memory = new ArrowBuf[shape.buffers().size()];
        this.starts = new long[memory.length];
    }

    BatchShape shape() {
        return shape;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    Place place() {
        return place;
    }

    BufferAllocator allocator() {
        return allocator;
    }

    /**
     * Takes over a part of a buffer.
     *
     * @param start its first byte, within the buffer as it is without compression
     */
    void put(int buffer, long start, ArrowBuf part) {
        ArrowBuf before = memory[buffer];
        if (before != null) {
            before.close();
        }
        memory[buffer] = part;
        starts[buffer] = start;
    }

    /** Bytes of what is there. */
    long bytes() {
        long sum = 0;
        for (ArrowBuf part : memory) {
            sum += part == null ? 0 : part.capacity();
        }
        return sum;
    }

    /** Whether a buffer has any bytes. */
    boolean has(int buffer) {
        return shape.buffers().get(buffer).length() > 0;
    }

    /** The address of bytes of a buffer, all of which are there. */
    long address(int buffer, long offset, long bytes) {
        return offset - starts[buffer] + part(buffer, offset, bytes).memoryAddress();
    }

    /** An offset of a field that has them, whatever it says. */
    long offset(BatchShape.Slot slot, long index) {
        int width = slot.field().layout().offsetWidth();
        long address = address(slot.firstBuffer() + 1, index * width, width);
        return width == Integer.BYTES ? OffHeap.getInt(address) : OffHeap.getLong(address);
    }

    /** Bytes of a buffer as a buffer that the caller owns. */
    ArrowBuf share(int buffer, long offset, long bytes) {
        if (bytes == 0) {
            return nothing(allocator);
        }
        ArrowBuf part = part(buffer, offset, bytes).slice(offset - starts[buffer], bytes);
        part.getReferenceManager().retain();
        return part;
    }

    /** A buffer of no bytes that are of use, but with those behind it that may be read. */
    static ArrowBuf nothing(BufferAllocator allocator) {
        return Buffers.allocate(allocator, Buffers.PADDING);
    }

    private ArrowBuf part(int buffer, long offset, long bytes) {
        ArrowBuf part = memory[buffer];
        if (part == null
                || bytes < 0
                || offset < starts[buffer]
                || offset - starts[buffer] > part.capacity() - bytes) {
            throw place.corrupt(
                    "There are no bytes %,d to %,d in buffer %,d"
                            .formatted(offset, offset + Math.max(0, bytes), buffer));
        }
        return part;
    }

    @Override
    public void close() {
        for (int i = 0; i < memory.length; i++) {
            ArrowBuf part = memory[i];
            if (part != null) {
                memory[i] = null;
                part.close();
            }
        }
    }
}
