package io.spillway.operator.aggregate;

import io.spillway.batch.OffHeap;
import io.spillway.memory.StateMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The states of groups by their numbers: records of one width, which begin as zeros, in chunks that
 * never move. All that calls keep of a group stands together, so that a row touches one place.
 */
final class GroupStates implements AutoCloseable {

    /** Bytes of a chunk at most, if it has more than a few states. */
    private static final int CHUNK_BYTES = 32 << 10;

    private static final int MIN_SHIFT = 3;

    private final int stride;
    private final int shift;
    private final BufferAllocator allocator;
    private final StateMemory memory;
    private final List<ArrowBuf> chunks = new ArrayList<>();
    private long[] addresses = new long[4];
    private int size;

    /**
     * @param stride bytes of a state, a multiple of eight
     */
    GroupStates(int stride, BufferAllocator allocator, StateMemory memory) {
        this.stride = stride;
        this.shift =
                Math.max(
                        MIN_SHIFT,
                        Integer.SIZE - 1 - Integer.numberOfLeadingZeros(CHUNK_BYTES / stride));
        this.allocator = allocator;
        this.memory = memory;
    }

    int stride() {
        return stride;
    }

    /** Number of groups. */
    int size() {
        return size;
    }

    /** There are so many groups from now on, for which room has been made. */
    void grow(int groups) {
        size = groups;
    }

    /** Makes room for so many groups in all; false if there is no memory for them. */
    boolean reserve(long groups) {
        long needed = (groups + (1 << shift) - 1) >>> shift;
        while (chunks.size() < needed) {
            long bytes = chunkBytes();
            if (!memory.tryGrow(bytes)) {
                return false;
            }
            ArrowBuf chunk;
            try {
                chunk = allocator.buffer(bytes);
            } catch (Throwable t) {
                memory.shrink(bytes);
                throw t;
            }
            OffHeap.zero(chunk.memoryAddress(), bytes);
            if (chunks.size() == addresses.length) {
                addresses = Arrays.copyOf(addresses, 2 * addresses.length);
            }
            addresses[chunks.size()] = chunk.memoryAddress();
            chunks.add(chunk);
        }
        return true;
    }

    /** A power of two, as allocators give them. */
    private long chunkBytes() {
        return Long.highestOneBit(((long) stride << shift) - 1) << 1;
    }

    /** Where a group's state is. */
    long address(int id) {
        return addresses[id >>> shift] + (long) (id & ((1 << shift) - 1)) * stride;
    }

    /** Where the states of some groups are. */
    void addresses(int[] ids, int from, int count, long[] to) {
        for (int i = 0; i < count; i++) {
            to[i] = address(ids[from + i]);
        }
    }

    @Override
    public void close() {
        long bytes = chunks.size() * chunkBytes();
        chunks.forEach(ArrowBuf::close);
        chunks.clear();
        size = 0;
        if (bytes > 0) {
            memory.shrink(bytes);
        }
    }
}
