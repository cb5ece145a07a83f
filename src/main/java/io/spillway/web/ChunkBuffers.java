package io.spillway.web;

import io.netty.buffer.ByteBuf;
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

    /** Takes over the chunk. */
    static DataBuffer wrap(EncodedChunk chunk) {
        return wrap(chunk, 0);
    }

    /** Takes over the chunk, without its first bytes. */
    static DataBuffer wrap(EncodedChunk chunk, int skip) {
        ByteBuffer bytes = chunk.bytes().nioBuffer(skip, chunk.length() - skip);
        ByteBuf buffer = new ChunkBuf(bytes, chunk);
        return FACTORY.wrap(buffer);
    }

    /** A buffer over memory that is the chunk's: its last release closes the chunk. */
    private static final class ChunkBuf extends UnpooledDirectByteBuf {

        private final EncodedChunk chunk;

        ChunkBuf(ByteBuffer bytes, EncodedChunk chunk) {
            super(ByteBufAllocator.DEFAULT, bytes, bytes.remaining());
            this.chunk = chunk;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            chunk.close();
        }
    }
}
