package io.spillway.operator.key;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Byte strings one after the other, in chunks that never move. Beside the chunk that is being
 * filled there may be a spare one, which takes all that was asked for if need be: so room is made
 * for the worst case, and what of it is not used is not lost.
 */
final class KeyArena implements AutoCloseable {

    private static final long MIN_CHUNK = 16 << 10;
    private static final long MAX_CHUNK = 1 << 20;

    private final BufferAllocator allocator;
    private final List<ArrowBuf> full = new ArrayList<>();
    private @Nullable ArrowBuf spare;
    private long at;
    private long end;
    private long allocated;

    KeyArena(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** Bytes that {@link #grow} would allocate. */
    long growth(long bytes) {
        return end - at >= bytes || (spare != null && spare.capacity() >= bytes) ? 0 : chunk(bytes);
    }

    /** A power of two, as allocators give them. */
    private long chunk(long bytes) {
        long usual = Math.clamp(allocated / 4, MIN_CHUNK, MAX_CHUNK);
        return Long.highestOneBit(Math.max(usual, bytes) - 1) << 1;
    }

    /**
     * Makes room for strings of so many bytes together.
     *
     * @return bytes freed
     */
    long grow(long bytes) {
        long size = growth(bytes);
        if (size == 0) {
            return 0;
        }
        ArrowBuf larger = allocator.buffer(size);
        allocated += size;
        ArrowBuf old = spare;
        spare = larger;
        if (old == null) {
            return 0;
        }
        long freed = old.capacity();
        allocated -= freed;
        old.close();
        return freed;
    }

    /** The address of some bytes for which there is room. */
    long take(int bytes) {
        if (end - at < bytes) {
            ArrowBuf next = spare;
            if (next == null) {
                throw new IllegalStateException("no room was made for " + bytes + " bytes");
            }
            spare = null;
            full.add(next);
            at = next.memoryAddress();
            end = at + next.capacity();
        }
        long address = at;
        at += bytes;
        return address;
    }

    @Override
    public void close() {
        full.forEach(ArrowBuf::close);
        full.clear();
        ArrowBuf last = spare;
        spare = null;
        if (last != null) {
            last.close();
        }
    }
}
