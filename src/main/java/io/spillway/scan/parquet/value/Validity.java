package io.spillway.scan.parquet.value;

import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Levels;
import io.spillway.scan.parquet.footer.Slots;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Which slots of one node have a value, for the batch under way, made of levels. Owns the bitmap
 * until it is taken.
 */
public final class Validity implements AutoCloseable {

    private final Slots where;
    private final int presentAt;
    private final BufferAllocator allocator;
    private @Nullable ArrowBuf bitmap;
    private int slots;
    private int nulls;

    /** Slots of the batch before, which the next one may well have too. */
    private int usual;

    /**
     * @param where the node's slots
     * @param presentAt the definition level from which on a slot has a value
     */
    public Validity(Slots where, int presentAt, BufferAllocator allocator) {
        this.where = where;
        this.presentAt = presentAt;
        this.allocator = allocator;
    }

    /** Appends the slots that some entries begin. */
    public void append(long definitions, long repetitions, int count) {
        long bits = reserve(count);
        if (where.all() && presentAt == 0) {
            Bits.set(bits, slots, count, true);
            slots += count;
            return;
        }
        for (int i = 0; i < count; i += Long.SIZE) {
            long entries = Levels.first(count - i);
            long begins = entries & where.among(definitions + i, repetitions + i);
            long valid = begins & Levels.atLeast(definitions + i, presentAt);
            int n = Long.bitCount(begins);
            nulls += n - Long.bitCount(valid);
            Bits.append(bits, slots, begins == entries ? valid : Long.compress(valid, begins), n);
            slots += n;
        }
    }

    /** The bitmap's address, with room for more slots. */
    private long reserve(int more) {
        ArrowBuf there = bitmap;
        long needed = Bits.bytes((long) slots + more) + Long.BYTES;
        if (there == null) {
            long bytes = Math.max(needed, Bits.bytes(usual) + Long.BYTES);
            there = Buffers.allocate(allocator, bytes);
        } else {
            there = Buffers.grow(allocator, there, needed);
        }
        bitmap = there;
        return there.memoryAddress();
    }

    /** Number of slots so far. */
    public int slots() {
        return slots;
    }

    /** How many of them have no value. */
    public int nulls() {
        return nulls;
    }

    /** Where the bitmap is; until more is appended. */
    public long address() {
        return reserve(0);
    }

    /** The bitmap, the caller's; the next batch begins. */
    public ArrowBuf take() {
        reserve(0);
        ArrowBuf there = bitmap;
        if (there == null) {
            throw new IllegalStateException("no bitmap");
        }
        bitmap = null;
        usual = slots;
        slots = 0;
        nulls = 0;
        return there;
    }

    @Override
    public void close() {
        ArrowBuf there = bitmap;
        if (there != null) {
            bitmap = null;
            there.close();
        }
    }
}
