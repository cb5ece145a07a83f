package io.spillway.web;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** One gzip member (RFC 1952). */
final class GzipCompressor extends Compressor {

    /** Somewhat larger than the usual level makes it, at twice its speed. */
    private static final int LEVEL = 4;

    /** Deflate, no name, no time, unknown system. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final Deflater deflater = new Deflater(LEVEL, true);
    private final CRC32 checksum = new CRC32();
    private boolean begun;

    private void begin(ByteBuf out) {
        if (!begun) {
            begun = true;
            out.writeBytes(HEADER);
        }
    }

    @Override
    void compress(ByteBuffer plain, ByteBuf out) {
        begin(out);
        checksum.update(plain.duplicate());
        deflater.setInput(plain);
        deflate(out, Deflater.NO_FLUSH);
    }

    @Override
    void flush(ByteBuf out) {
        begin(out);
        deflate(out, Deflater.SYNC_FLUSH);
    }

    @Override
    void end(ByteBuf out) {
        begin(out);
        deflater.finish();
        deflate(out, Deflater.NO_FLUSH);
        out.writeIntLE((int) checksum.getValue());
        out.writeIntLE((int) deflater.getBytesRead());
    }

    private void deflate(ByteBuf out, int flush) {
        while (true) {
            ByteBuffer room = free(out);
            int offered = room.remaining();
            int written = deflater.deflate(room, flush);
            out.writerIndex(out.writerIndex() + written);
            if (written < offered) {
                return;
            }
        }
    }

    @Override
    void free() {
        deflater.end();
    }
}
