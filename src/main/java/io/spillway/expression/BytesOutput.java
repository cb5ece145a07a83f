package io.spillway.expression;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A vector of texts or bytes while it is written, value after value. Validity bits start undefined
 * and are the writer's. Closing frees what was not taken.
 */
final class BytesOutput implements AutoCloseable {

    private final Field field;
    private final int rows;
    private final BufferAllocator allocator;
    private final ArrowBuf validity;
    private final ArrowBuf offsets;
    private ArrowBuf data;
    private int used;
    private int row;
    private boolean taken;

    /**
     * @param estimate bytes that all values may take together; more is found as needed
     */
    BytesOutput(Field field, int rows, long estimate, BufferAllocator allocator) {
        this.field = field;
        this.rows = rows;
        this.allocator = allocator;
        List<ArrowBuf> buffers =
                Vectors.buffers(
                        allocator,
                        Bits.bytes(rows),
                        (rows + 1L) * Integer.BYTES,
                        Math.min(estimate, Integer.MAX_VALUE));
        validity = buffers.get(0);
        offsets = buffers.get(1);
        data = buffers.get(2);
        offsets.setInt(0, 0);
    }

    long validity() {
        return validity.memoryAddress();
    }

    /**
     * Where the current value goes on.
     *
     * @param bytes how many will be written there at most
     * @throws SpillwayException {@code MEMORY_LIMIT} if the column outgrows the 2 GiB that its
     *     offsets reach
     */
    long reserve(long bytes) {
        long needed = used + bytes;
        if (needed > data.capacity()) {
            grow(needed);
        }
        return data.memoryAddress() + used;
    }

    private void grow(long needed) {
        if (needed > Integer.MAX_VALUE) {
            throw new SpillwayException(
                    ErrorCode.MEMORY_LIMIT, "The texts of one batch of a column are over 2 GiB");
        }
        ArrowBuf larger =
                allocator.buffer(
                        Math.min(Math.max(needed, 2 * data.capacity()), Integer.MAX_VALUE));
        OffHeap.copy(data.memoryAddress(), larger.memoryAddress(), used);
        data.close();
        data = larger;
    }

    /** Adds to the current value bytes that were written where {@link #reserve} said. */
    void advance(int bytes) {
        used += bytes;
    }

    /** Adds to the current value. */
    void add(long address, int bytes) {
        OffHeap.copy(address, reserve(bytes), bytes);
        advance(bytes);
    }

    /** Ends the current value after {@link #advance advancing} once more. */
    void end(int bytes) {
        advance(bytes);
        row++;
        OffHeap.putInt(offsets.memoryAddress() + (long) row * Integer.BYTES, used);
    }

    /** Makes the current value, of which nothing was written, a null. */
    void endNull() {
        Bits.clear(validity(), row);
        end(0);
    }

    /** Writes one whole value. */
    void append(long address, int bytes) {
        OffHeap.copy(address, reserve(bytes), bytes);
        end(bytes);
    }

    /** Writes one whole value. */
    void append(byte[] from, int bytes) {
        OffHeap.write(from, 0, reserve(bytes), bytes);
        end(bytes);
    }

    /** Hands the vector over, once every row has ended. */
    FieldVector take() {
        taken = true;
        return Vectors.load(field.createVector(allocator), rows, List.of(validity, offsets, data));
    }

    @Override
    public void close() {
        if (!taken) {
            validity.close();
            offsets.close();
            data.close();
        }
    }
}
