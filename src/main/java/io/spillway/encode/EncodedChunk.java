package io.spillway.encode;

import org.apache.arrow.memory.ArrowBuf;

/**
 * The encoded form of some whole rows. Owns one reference to the buffer; whoever holds the chunk
 * closes it, once.
 *
 * @param bytes the text, from index 0
 * @param length number of bytes used
 * @param rows number of rows in it
 */
public record EncodedChunk(ArrowBuf bytes, int length, long rows) implements AutoCloseable {

    @Override
    public void close() {
        bytes.close();
    }
}
