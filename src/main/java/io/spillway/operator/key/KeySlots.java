package io.spillway.operator.key;

import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a hash table: open addressing with linear probing, a power of two of them, at most
 * two thirds used. A slot has 32 bits of hash, so that a key is looked at only where these agree,
 * and the number of its key, plus one.
 *
 * <p>A key's first slot is the upper bits of its hash: slots that grow are walked through in order
 * on both sides, and no hash is computed again.
 */
final class KeySlots implements AutoCloseable {

    private static final int MIN_BITS = 8;
    private static final int SLOT = Long.BYTES;

    private final BufferAllocator allocator;
    private @Nullable ArrowBuf buffer;
    private int bits;
    private long start;
    private long end;

    KeySlots(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** Bytes that {@link #grow} would allocate. */
    long growth(int used, int more) {
        int needed = bitsFor(used + (long) more);
        return buffer != null && needed <= bits ? 0 : (long) SLOT << needed;
    }

    /**
     * Makes room.
     *
     * @return bytes freed
     */
    long grow(int used, int more) {
        if (growth(used, more) == 0) {
            return 0;
        }
        ArrowBuf old = buffer;
        long oldStart = start;
        long oldEnd = end;
        int needed = bitsFor(used + (long) more);
        long bytes = (long) SLOT << needed;
        ArrowBuf larger = allocator.buffer(bytes);
        buffer = larger;
        bits = needed;
        start = larger.memoryAddress();
        end = start + bytes;
        OffHeap.zero(start, bytes);
        if (old == null) {
            return 0;
        }
        for (long at = oldStart; at < oldEnd; at += SLOT) {
            long slot = OffHeap.getLong(at);
            if (slot != 0) {
                long to = start((int) (slot >>> 32));
                while (OffHeap.getLong(to) != 0) {
                    to = next(to);
                }
                OffHeap.putLong(to, slot);
            }
        }
        old.close();
        return oldEnd - oldStart;
    }

    private static int bitsFor(long keys) {
        long slots = keys + keys / 2 + 1;
        return Math.max(MIN_BITS, Long.SIZE - Long.numberOfLeadingZeros(slots - 1));
    }

    /** Where to look first. */
    long start(int hash) {
        return start + ((hash & 0xffff_ffffL) >>> (Integer.SIZE - bits)) * SLOT;
    }

    /** Where to look after a slot. */
    long next(long slot) {
        long next = slot + SLOT;
        return next == end ? start : next;
    }

    /** The number of a slot's key, or {@link KeyTable#UNKNOWN} if there is none. */
    int id(long slot) {
        return OffHeap.getInt(slot) - 1;
    }

    int hash(long slot) {
        return OffHeap.getInt(slot + Integer.BYTES);
    }

    void put(long slot, int hash, int id) {
        OffHeap.putLong(slot, (long) hash << 32 | id + 1);
    }

    @Override
    public void close() {
        ArrowBuf last = buffer;
        buffer = null;
        if (last != null) {
            last.close();
        }
    }
}
