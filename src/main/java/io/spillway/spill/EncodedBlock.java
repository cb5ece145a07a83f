package io.spillway.spill;

import io.spillway.batch.OffHeap;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;

/**
 * The bytes of a block. Owns its buffer.
 *
 * @param buffer the block is at its beginning
 * @param length bytes of the block
 * @param rows in the block
 * @param rawBytes bytes that its columns take when they are decoded
 */
public record EncodedBlock(ArrowBuf buffer, int length, int rows, long rawBytes)
        implements AutoCloseable {

    /** A view of the bytes, valid until this is closed. */
    public ByteBuffer bytes() {
        return OffHeap.view(buffer.memoryAddress(), length);
    }

    @Override
    public void close() {
        buffer.close();
    }
}
