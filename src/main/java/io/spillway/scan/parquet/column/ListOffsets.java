package io.spillway.scan.parquet.column;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Levels;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Slots;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of each slot of a list or map are, for the batch under way, made of levels.
 * Owns the offsets until they are taken.
 */
final class ListOffsets implements AutoCloseable {

    private final ColumnNode.Repeated node;
    private final Slots where;
    private final BufferAllocator allocator;
    private final Place place;
    private @Nullable ArrowBuf offsets;
    private int lists;
    private int elements;

    /** Lists of the batch before, which the next one may well have too. */
    private int usual;

    /** Whether the last entry had an element: 0 or 1. */
    private long hadElement;

    /**
     * @param where the node's slots
     */
    ListOffsets(ColumnNode.Repeated node, Slots where, BufferAllocator allocator, Place place) {
        this.node = node;
        this.where = where;
        this.allocator = allocator;
        this.place = place;
    }

    /**
     * Appends the lists and the elements that some entries begin.
     *
     * @param slots how many lists there are with them
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if an entry goes on with a
     *     list that is null or empty
     */
    void append(long definitions, long repetitions, int count, int slots) {
        long starts = reserve(slots);
        int level = node.repetition();
        boolean innermost = level == where.leafRepetition();
        for (int i = 0; i < count; i += Long.SIZE) {
            int n = Math.min(Long.SIZE, count - i);
            long entries = Levels.first(n);
            long present = entries & Levels.atLeast(definitions + i, node.elementAt());
            long goesOn = entries & Levels.atLeast(repetitions + i, level);
            long deeper = innermost ? 0 : Levels.atLeast(repetitions + i, level + 1);
            long before = present << 1 | hadElement;
            if ((goesOn & ~deeper & ~(present & before)) != 0) {
                throw place.corrupt("A list goes on that is null or empty");
            }
            hadElement = present >>> (n - 1);
            long begun = present & ~deeper;
            long heads = entries & ~goesOn;
            heads &= Levels.atLeast(definitions + i, where.definition());
            while (heads != 0) {
                long head = Long.lowestOneBit(heads);
                int earlier = Long.bitCount(begun & (head - 1));
                OffHeap.putInt(starts + (long) Integer.BYTES * lists, elements + earlier);
                lists++;
                heads ^= head;
            }
            elements += Long.bitCount(begun);
        }
    }

    /** The offsets' address, with room for so many lists in all, and the end of the last. */
    private long reserve(int count) {
        ArrowBuf there = offsets;
        long needed = (count + 1L) * Integer.BYTES;
        if (there == null) {
            long bytes = Math.max(needed, (usual + 1L) * Integer.BYTES);
            there = Buffers.allocate(allocator, bytes);
        } else {
            there = Buffers.grow(allocator, there, needed);
        }
        offsets = there;
        return there.memoryAddress();
    }

    /** Where each list begins and the last one ends, the caller's; the next batch begins. */
    ArrowBuf take() {
        long starts = reserve(lists);
        OffHeap.putInt(starts + (long) Integer.BYTES * lists, elements);
        ArrowBuf there = offsets;
        if (there == null) {
            throw new IllegalStateException("no offsets");
        }
        offsets = null;
        usual = lists;
        lists = 0;
        elements = 0;
        return there;
    }

    @Override
    public void close() {
        ArrowBuf there = offsets;
        if (there != null) {
            offsets = null;
            there.close();
        }
    }
}
