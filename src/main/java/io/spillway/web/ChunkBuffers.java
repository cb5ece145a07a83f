package io.spillway.web;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.spillway.encode.EncodedChunk;
import java.nio.ByteBuffer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

/**
 * Encoded chunks as Netty buffers, without a copy: the chunk's memory stays accounted until Netty
 * has written it.
 */
final class ChunkBuffers {

    private static final NettyDataBufferFactory FACTORY =
            new NettyDataBufferFactory(ByteBufAllocator.DEFAULT);

    private ChunkBuffers() {}

    /**
     * Bytes {@code [from, to)} of a chunk; takes the chunk over.
     *
     * @param released told, on whichever thread, when the network has done with the bytes
     */
    static DataBuffer wrap(EncodedChunk chunk, int from, int to, Runnable released) {
        return FACTORY.wrap(new ChunkBuf(chunk, from, to, released));
    }

    /** Bytes {@code [from, to)} of a chunk; takes the chunk over. */
    static DataBuffer wrap(EncodedChunk chunk, int from, int to) {
        return wrap(chunk, from, to, () -> {});
    }

    /** Text that belongs to nobody. */
    static DataBuffer wrap(byte[] text) {
        return FACTORY.wrap(text);
    }

    /** A buffer over memory that is the chunk's: its last release closes the chunk. */
    private static final class ChunkBuf extends UnpooledDirectByteBuf {

        private final EncodedChunk chunk;
        private final Runnable released;

        ChunkBuf(EncodedChunk chunk, int from, int to, Runnable released) {
            super(ByteBufAllocator.DEFAULT, bytes(chunk, from, to), to - from);
            this.chunk = chunk;
            this.released = released;
        }

        private static ByteBuffer bytes(EncodedChunk chunk, int from, int to) {
            return chunk.bytes().nioBuffer(from, to - from);
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            chunk.close();
            released.run();
        }
    }
}
