package io.spillway.operator.window;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.KeyBytes;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Positions with keys, taken from both ends and added at one. Keys stand one after the other off
 * the heap; what comes free at the beginning is used again when there is no more room at the end.
 */
final class KeyQueue implements AutoCloseable {

    private static final int FIRST_ENTRIES = 16;
    private static final int FIRST_BYTES = 256;

    /** What each entry takes on the heap. */
    private static final int ENTRY_BYTES = 2 * Long.BYTES;

    private final BufferAllocator allocator;
    private final MemoryHolding holding;
    private long[] positions = new long[FIRST_ENTRIES];

    /** Where keys end; the first key begins where the entry before it would end. */
    private long[] ends = new long[FIRST_ENTRIES];

    private int head;
    private int tail;
    private long begin;
    private @Nullable ArrowBuf bytes;
    private long held;

    /**
     * An empty queue.
     *
     * @param holding grown by all that is more than a few entries
     */
    KeyQueue(BufferAllocator allocator, MemoryHolding holding) {
        this.allocator = allocator;
        this.holding = holding;
    }

    boolean isEmpty() {
        return head == tail;
    }

    long firstPosition() {
        return positions[head];
    }

    void removeFirst() {
        begin = ends[head++];
        if (isEmpty()) {
            clear();
        }
    }

    void removeLast() {
        tail--;
        if (isEmpty()) {
            clear();
        }
    }

    private void clear() {
        head = 0;
        tail = 0;
        begin = 0;
    }

    /** Whether a key comes before the first one. */
    boolean isBeforeFirst(long address, int length) {
        return isBefore(address, length, head);
    }

    /** Whether a key comes before the last one. */
    boolean isBeforeLast(long address, int length) {
        return isBefore(address, length, tail - 1);
    }

    private boolean isBefore(long address, int length, int entry) {
        long from = start(entry);
        return KeyBytes.compare(address, length, memory() + from, (int) (ends[entry] - from)) < 0;
    }

    private long start(int entry) {
        return entry == head ? begin : ends[entry - 1];
    }

    private long memory() {
        return bytes == null ? 0 : bytes.memoryAddress();
    }

    /**
     * Adds a copy of a key at the end.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if there is no memory for it
     */
    void add(long position, long address, int length) {
        if (tail == positions.length) {
            makeEntries();
        }
        long at = isEmpty() ? begin : ends[tail - 1];
        if (bytes == null || at + length > bytes.capacity()) {
            makeBytes(length);
            at = isEmpty() ? begin : ends[tail - 1];
        }
        OffHeap.copy(address, memory() + at, length);
        positions[tail] = position;
        ends[tail++] = at + length;
    }

    private void makeEntries() {
        int count = tail - head;
        int capacity = Math.max(FIRST_ENTRIES, 2 * count);
        if (capacity > positions.length) {
            hold((long) ENTRY_BYTES * (capacity - positions.length));
        }
        long[] newPositions = new long[Math.max(capacity, positions.length)];
        long[] newEnds = new long[newPositions.length];
        System.arraycopy(positions, head, newPositions, 0, count);
        System.arraycopy(ends, head, newEnds, 0, count);
        positions = newPositions;
        ends = newEnds;
        head = 0;
        tail = count;
    }

    /** Moves all keys to the beginning of a buffer that has room for one more. */
    private void makeBytes(int length) {
        long used = isEmpty() ? 0 : ends[tail - 1] - begin;
        long capacity = bytes == null ? 0 : bytes.capacity();
        long need = Math.max(FIRST_BYTES, 2 * (used + length));
        if (need > capacity) {
            hold(need > FIRST_BYTES ? need - capacity : 0);
            capacity = need;
        }
        ArrowBuf next = allocator.buffer(capacity);
        OffHeap.copy(memory() + begin, next.memoryAddress(), used);
        if (bytes != null) {
            bytes.close();
        }
        bytes = next;
        for (int i = head; i < tail; i++) {
            ends[i] -= begin;
        }
        begin = 0;
    }

    private void hold(long more) {
        if (!holding.tryGrow(more)) {
            throw new SpillwayException(
                    ErrorCode.MEMORY_LIMIT,
                    "The frames of a window function take more than there is memory for");
        }
        held += more;
    }

    @Override
    public void close() {
        clear();
        ArrowBuf old = bytes;
        bytes = null;
        if (old != null) {
            old.close();
        }
        holding.shrink(held);
        held = 0;
    }
}
