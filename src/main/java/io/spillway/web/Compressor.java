package io.spillway.web;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

/**
 * Compresses one body, buffer by buffer. One thread at a time, but it may be closed by another
 * meanwhile; afterwards it gives nothing.
 */
abstract sealed class Compressor implements AutoCloseable permits GzipCompressor, ZstdCompressor {

    private static final NettyDataBufferFactory FACTORY =
            new NettyDataBufferFactory(ByteBufAllocator.DEFAULT);

    /** Compressed text is seldom more than a quarter; more room is made where that is wrong. */
    private static final int RATIO = 4;

    private static final int LEAST_BYTES = 512;

    private boolean closed;

    /** Compresses a buffer, which is taken over, with all that is needed to read it back. */
    final synchronized DataBuffer add(DataBuffer plain) {
        try {
            ByteBuf out = room(plain.readableByteCount() / RATIO);
            if (closed) {
                return FACTORY.wrap(out);
            }
            try (DataBuffer.ByteBufferIterator parts = plain.readableByteBuffers()) {
                while (parts.hasNext()) {
                    compress(parts.next(), out);
                }
            }
            flush(out);
            return FACTORY.wrap(out);
        } finally {
            DataBufferUtils.release(plain);
        }
    }

    /** What ends the body. */
    final synchronized DataBuffer finish() {
        ByteBuf out = room(0);
        if (!closed) {
            end(out);
        }
        return FACTORY.wrap(out);
    }

    private static ByteBuf room(int bytes) {
        return ByteBufAllocator.DEFAULT.directBuffer(Math.max(bytes, LEAST_BYTES));
    }

    /** Free bytes of a buffer, at least a few, to be written from their position on. */
    static ByteBuffer free(ByteBuf out) {
        out.ensureWritable(LEAST_BYTES);
        return out.nioBuffer(out.writerIndex(), out.writableBytes());
    }

    /** Takes bytes, and may write some. */
    abstract void compress(ByteBuffer plain, ByteBuf out);

    /** Writes all that has been taken and not written yet. */
    abstract void flush(ByteBuf out);

    /** Writes the end. */
    abstract void end(ByteBuf out);

    /** Frees native memory. */
    abstract void free();

    @Override
    public final synchronized void close() {
        if (!closed) {
            closed = true;
            free();
        }
    }
}
