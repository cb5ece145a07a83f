package io.spillway.operator.key;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Records of 8 or 16 bytes by number, in chunks that never move. */
final class KeyEntries implements AutoCloseable {

    private static final int SHIFT = 12;
    private static final int CHUNK = 1 << SHIFT;

    private final BufferAllocator allocator;
    private final int stride;
    private final List<ArrowBuf> chunks = new ArrayList<>();
    private long[] addresses = new long[4];

    KeyEntries(BufferAllocator allocator, int stride) {
        this.allocator = allocator;
        this.stride = stride;
    }

    /** Bytes that {@link #grow} would allocate. */
    long growth(long count) {
        return Math.max(0, missing(count)) * CHUNK * stride;
    }

    private long missing(long count) {
        return ((count + CHUNK - 1) >>> SHIFT) - chunks.size();
    }

    /** Makes room for so many records in all. */
    void grow(long count) {
        for (long left = missing(count); left > 0; left--) {
            ArrowBuf chunk = allocator.buffer((long) CHUNK * stride);
            if (chunks.size() == addresses.length) {
                addresses = Arrays.copyOf(addresses, 2 * addresses.length);
            }
            addresses[chunks.size()] = chunk.memoryAddress();
            chunks.add(chunk);
        }
    }

    /** Where a record is. */
    long address(int id) {
        return addresses[id >>> SHIFT] + (long) (id & (CHUNK - 1)) * stride;
    }

    @Override
    public void close() {
        chunks.forEach(ArrowBuf::close);
        chunks.clear();
    }
}
