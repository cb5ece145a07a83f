package io.spillway.operator.aggregate;

import io.spillway.memory.StateMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Records of one size, which are taken and given back one by one and do not move. */
final class Slots implements AutoCloseable {

    private static final int SLAB_BYTES = 32 << 10;

    private final int bytes;
    private final int perSlab;
    private final BufferAllocator allocator;
    private final StateMemory memory;
    private final List<ArrowBuf> slabs = new ArrayList<>();
    private int used;
    private int[] free = new int[16];
    private int freeCount;

    /**
     * @param bytes of a record, at most those of a slab
     */
    Slots(int bytes, BufferAllocator allocator, StateMemory memory) {
        this.bytes = bytes;
        this.perSlab = SLAB_BYTES / bytes;
        this.allocator = allocator;
        this.memory = memory;
    }

    int bytes() {
        return bytes;
    }

    /** Makes room for so many more; false if there is no memory for them. */
    boolean reserve(int count) {
        while (freeCount + slabs.size() * perSlab - used < count) {
            if (!memory.tryGrow(SLAB_BYTES)) {
                return false;
            }
            try {
                slabs.add(allocator.buffer(SLAB_BYTES));
            } catch (Throwable t) {
                memory.shrink(SLAB_BYTES);
                throw t;
            }
        }
        return true;
    }

    /** Takes one for which there is room; its bytes are undefined. */
    int take() {
        return freeCount > 0 ? free[--freeCount] : used++;
    }

    void give(int slot) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = slot;
    }

    long address(int slot) {
        return slabs.get(slot / perSlab).memoryAddress() + (long) (slot % perSlab) * bytes;
    }

    @Override
    public void close() {
        long held = (long) slabs.size() * SLAB_BYTES;
        slabs.forEach(ArrowBuf::close);
        slabs.clear();
        used = 0;
        freeCount = 0;
        memory.shrink(held);
    }
}
