package io.spillway.operator.key;

import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarBinaryVector;

/**
 * The keys of a batch's rows as byte strings, one after the other in one buffer, which this owns.
 * What their bytes mean is {@link KeyEncoder}'s. Immutable; any number of threads may read it.
 *
 * <p>Eight bytes may be read at the address of any byte of a key: the buffer goes on that far.
 */
public final class EncodedKeys implements AutoCloseable {

    /** The width of keys that have none in common. */
    public static final int VARIABLE = -1;

    /** Bytes that may be read beyond the last key. */
    static final int SLACK = Long.BYTES;

    private final ArrowBuf buffer;
    private final int count;
    private final int width;
    private final long data;
    private final long offsets;
    private boolean closed;

    /** Keys of one width; takes over the buffer. */
    EncodedKeys(ArrowBuf buffer, int count, int width) {
        this.buffer = buffer;
        this.count = count;
        this.width = width;
        this.data = buffer.memoryAddress();
        this.offsets = 0;
    }

    /**
     * Keys of any lengths; takes over the buffer.
     *
     * @param dataStart where in the buffer the keys begin; before it stand {@code count + 1}
     *     offsets of 32 bits, which count from there
     */
    EncodedKeys(ArrowBuf buffer, int count, long dataStart) {
        this.buffer = buffer;
        this.count = count;
        this.width = VARIABLE;
        this.offsets = buffer.memoryAddress();
        this.data = offsets + dataStart;
    }

    /**
     * Keys that were kept as bytes, copied; owned by the caller.
     *
     * @param bytes keys of one encoder; none is null
     * @param width of that encoder
     */
    public static EncodedKeys of(VarBinaryVector bytes, int width, BufferAllocator allocator) {
        int count = bytes.getValueCount();
        long from = count == 0 ? 0 : bytes.getDataBuffer().memoryAddress();
        long fromOffsets = count == 0 ? 0 : bytes.getOffsetBuffer().memoryAddress();
        int end = count == 0 ? 0 : OffHeap.getInt(fromOffsets + 4L * count);
        long start = width >= 0 ? 0 : (count + 1L) * Integer.BYTES;
        ArrowBuf buffer = allocator.buffer(start + end + SLACK);
        OffHeap.copy(from, buffer.memoryAddress() + start, end);
        if (width >= 0) {
            return new EncodedKeys(buffer, count, width);
        }
        OffHeap.putInt(buffer.memoryAddress(), 0);
        OffHeap.copy(fromOffsets, buffer.memoryAddress(), count == 0 ? 0 : start);
        return new EncodedKeys(buffer, count, start);
    }

    /** Number of rows. */
    public int count() {
        return count;
    }

    /** Bytes of each key, or {@link #VARIABLE}. */
    public int width() {
        return width;
    }

    /** Where a row's key is. */
    public long address(int row) {
        return data + (width >= 0 ? (long) width * row : OffHeap.getInt(offsets + 4L * row));
    }

    /** Bytes of a row's key. */
    public int length(int row) {
        if (width >= 0) {
            return width;
        }
        long at = offsets + 4L * row;
        return OffHeap.getInt(at + 4) - OffHeap.getInt(at);
    }

    /** Bytes of memory that this holds. */
    public long bytes() {
        return buffer.capacity();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            buffer.close();
        }
    }
}
