package io.spillway.encode;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * The encoded form of some whole rows. Owns one reference to the buffer; whoever holds the chunk
 * closes it, once.
 *
 * @param bytes the encoded form, from index 0
 * @param length number of bytes used
 * @param rows number of rows in it
 */
public record EncodedChunk(ArrowBuf bytes, int length, long rows) implements AutoCloseable {

    /** A chunk of the first {@code length} bytes of an array. */
    static EncodedChunk of(byte[] bytes, int length, long rows, BufferAllocator allocator) {
        ArrowBuf buffer = buffer(length, allocator);
        buffer.setBytes(0, bytes, 0, length);
        return new EncodedChunk(buffer, length, rows);
    }

    /**
     * A buffer for a chunk.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if the allocator has no room for it
     */
    static ArrowBuf buffer(long length, BufferAllocator allocator) {
        try {
            return allocator.buffer(length);
        } catch (OutOfMemoryException e) {
            throw new SpillwayException(
                    ErrorCode.MEMORY_LIMIT,
                    "%,d bytes of encoded rows do not fit %s"
                            .formatted(length, allocator.getName()),
                    e);
        }
    }

    @Override
    public void close() {
        bytes.close();
    }
}
