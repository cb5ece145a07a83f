package io.spillway.web;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** One Zstandard frame (RFC 8878). */
final class ZstdCompressor extends Compressor {

    private static final int LEVEL = 1;

    /** Memory of the compressor, and of whoever reads the body, is a few of these. */
    private static final int WINDOW_LOG = 17;

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL).setChecksum(true);

    ZstdCompressor() {
        context.setWindowLog(WINDOW_LOG);
    }

    @Override
    void compress(ByteBuffer plain, ByteBuf out) {
        ByteBuffer source = plain;
        if (!plain.isDirect()) {
            source = ByteBuffer.allocateDirect(plain.remaining()).put(plain).flip();
        }
        while (source.hasRemaining()) {
            write(source, out, EndDirective.CONTINUE);
        }
    }

    @Override
    void flush(ByteBuf out) {
        while (!write(NOTHING.duplicate(), out, EndDirective.FLUSH)) {
            // All is in the condition.
        }
    }

    @Override
    void end(ByteBuf out) {
        while (!write(NOTHING.duplicate(), out, EndDirective.END)) {
            // All is in the condition.
        }
    }

    /** Whether nothing is left to be written. */
    private boolean write(ByteBuffer source, ByteBuf out, EndDirective directive) {
        ByteBuffer room = free(out);
        int start = room.position();
        boolean done = context.compressDirectByteBufferStream(room, source, directive);
        out.writerIndex(out.writerIndex() + room.position() - start);
        return done;
    }

    @Override
    void free() {
        context.close();
    }
}
