package io.spillway.operator.join;

import io.spillway.batch.OffHeap;
import io.spillway.memory.MemoryHolding;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A mark for each of some rows, outside of the heap. Many threads may set marks at a time: who
 * reads them does so once all of these have ended.
 */
final class RowMarks implements AutoCloseable {

    private final BufferAllocator allocator;
    private final MemoryHolding holding;
    private @Nullable ArrowBuf buffer;
    private long address;
    private int rows;

    RowMarks(BufferAllocator allocator, MemoryHolding holding) {
        this.allocator = allocator;
        this.holding = holding;
    }

    /**
     * Makes room, with no mark set.
     *
     * @return false if there is no memory for it
     */
    boolean reserve(int count) {
        long bytes = Long.highestOneBit(count + 1L) << 1;
        if (!holding.tryGrow(bytes)) {
            return false;
        }
        try {
            ArrowBuf marks = allocator.buffer(bytes);
            buffer = marks;
            address = marks.memoryAddress();
        } catch (Throwable t) {
            holding.shrink(bytes);
            throw t;
        }
        OffHeap.zero(address, bytes);
        rows = count;
        return true;
    }

    void set(int row) {
        OffHeap.putByte(address + row, (byte) 1);
    }

    /** Whether a row is marked; none is before room is made. */
    boolean get(long row) {
        return row < rows && buffer != null && OffHeap.getByte(address + row) != 0;
    }

    @Override
    public void close() {
        ArrowBuf last = buffer;
        buffer = null;
        if (last != null) {
            long bytes = last.capacity();
            last.close();
            holding.shrink(bytes);
        }
    }
}
