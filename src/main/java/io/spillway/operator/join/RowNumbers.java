package io.spillway.operator.join;

import io.spillway.batch.OffHeap;
import io.spillway.memory.MemoryHolding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A long array of integers outside of the heap, zero at first, in chunks that never move. Memory is
 * counted by a holding, which stays the caller's. Closing frees it and shrinks the holding.
 */
final class RowNumbers implements AutoCloseable {

    private static final int SHIFT = 12;
    private static final int CHUNK = 1 << SHIFT;
    static final long CHUNK_BYTES = (long) Integer.BYTES << SHIFT;

    private final BufferAllocator allocator;
    private final MemoryHolding holding;
    private final List<ArrowBuf> chunks = new ArrayList<>();
    private long[] addresses = new long[4];

    RowNumbers(BufferAllocator allocator, MemoryHolding holding) {
        this.allocator = allocator;
        this.holding = holding;
    }

    /**
     * Makes room.
     *
     * @param count elements in all
     * @return false if the holding cannot grow so far; nothing has changed then
     */
    boolean reserve(long count) {
        int needed = Math.toIntExact((count + CHUNK - 1) >>> SHIFT);
        int missing = needed - chunks.size();
        if (missing <= 0) {
            return true;
        }
        if (!holding.tryGrow(missing * CHUNK_BYTES)) {
            return false;
        }
        for (int i = missing; i > 0; i--) {
            ArrowBuf chunk;
            try {
                chunk = allocator.buffer(CHUNK_BYTES);
            } catch (Throwable t) {
                holding.shrink(i * CHUNK_BYTES);
                throw t;
            }
            OffHeap.zero(chunk.memoryAddress(), CHUNK_BYTES);
            if (chunks.size() == addresses.length) {
                addresses = Arrays.copyOf(addresses, 2 * addresses.length);
            }
            addresses[chunks.size()] = chunk.memoryAddress();
            chunks.add(chunk);
        }
        return true;
    }

    int get(int index) {
        return OffHeap.getInt(address(index));
    }

    void set(int index, int value) {
        OffHeap.putInt(address(index), value);
    }

    private long address(int index) {
        return addresses[index >>> SHIFT] + ((long) (index & (CHUNK - 1)) << 2);
    }

    @Override
    public void close() {
        long bytes = chunks.size() * CHUNK_BYTES;
        chunks.forEach(ArrowBuf::close);
        chunks.clear();
        if (bytes > 0) {
            holding.shrink(bytes);
        }
    }
}
