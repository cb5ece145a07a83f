package io.spillway.scan.bytes;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;

/** Arrow buffers, and vectors made of them. */
public final class Buffers {

    /**
     * Bytes behind the end of a page or window that can be read, whatever they hold, so that words
     * may be read across the end.
     */
    public static final int PADDING = 16;

    /** Up to here Arrow rounds a buffer's size up to a power of two; larger ones are exact. */
    private static final long ROUNDED_BELOW = 16 << 20;

    /** Up to so many bytes, words are copied faster than by the runtime. */
    private static final int SHORT = 32;

    private static final int TWO_WORDS = 2 * Long.BYTES;

    private Buffers() {}

    /**
     * A buffer of at least so many bytes, owned by the caller; what is in it is undefined.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT}
     */
    public static ArrowBuf allocate(BufferAllocator allocator, long bytes) {
        try {
            return allocator.buffer(bytes);
        } catch (OutOfMemoryException e) {
            throw new SpillwayException(
                            ErrorCode.MEMORY_LIMIT,
                            "%,d bytes do not fit: %s holds %,d of %,d"
                                    .formatted(
                                            bytes,
                                            allocator.getName(),
                                            allocator.getAllocatedMemory(),
                                            allocator.getLimit()),
                            e)
                    .with(SpillwayException.LIMIT, allocator.getLimit());
        }
    }

    /**
     * A buffer of at least so many bytes in place of another: the same one if it is large enough,
     * else one of twice its size at least, that begins with what it holds; the other is closed
     * then.
     */
    public static ArrowBuf grow(BufferAllocator allocator, ArrowBuf before, long bytes) {
        if (before.capacity() >= bytes) {
            return before;
        }
        ArrowBuf after = allocate(allocator, Math.max(bytes, 2 * before.capacity()));
        OffHeap.copy(before.memoryAddress(), after.memoryAddress(), before.capacity());
        before.close();
        return after;
    }

    /**
     * Copies bytes, short ones as words; may read and write up to {@link #PADDING} bytes behind
     * them.
     */
    public static void copyPadded(long from, long to, int bytes) {
        if (bytes > SHORT) {
            OffHeap.copy(from, to, bytes);
            return;
        }
        copyTwoWords(from, to);
        if (bytes > TWO_WORDS) {
            copyTwoWords(from + bytes - TWO_WORDS, to + bytes - TWO_WORDS);
        }
    }

    private static void copyTwoWords(long from, long to) {
        long first = OffHeap.getLong(from);
        long second = OffHeap.getLong(from + Long.BYTES);
        OffHeap.putLong(to, first);
        OffHeap.putLong(to + Long.BYTES, second);
    }

    /** A bitmap for so many rows, its last word cleared. */
    public static ArrowBuf bitmap(BufferAllocator allocator, int rows) {
        long bytes = Bits.bytes(rows);
        ArrowBuf bitmap = allocate(allocator, bytes);
        if (bytes > 0) {
            OffHeap.putLong(bitmap.memoryAddress() + bytes - 8, 0);
        }
        return bitmap;
    }

    /** What a buffer of so many bytes takes at most. */
    public static long rounded(long bytes) {
        if (bytes >= ROUNDED_BELOW || bytes <= 1) {
            return bytes;
        }
        return Long.highestOneBit(bytes - 1) << 1;
    }

    /** A vector that takes over the buffers, which come in the order of Arrow's layout. */
    public static FieldVector vector(
            Field field, BufferAllocator allocator, int rows, int nulls, List<ArrowBuf> buffers) {
        FieldVector vector = field.createVector(allocator);
        vector.loadFieldBuffers(new ArrowFieldNode(rows, nulls), buffers);
        buffers.forEach(ArrowBuf::close);
        return vector;
    }
}
