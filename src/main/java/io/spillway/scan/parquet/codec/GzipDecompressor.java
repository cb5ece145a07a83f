package io.spillway.scan.parquet.codec;

import io.spillway.batch.OffHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Gzip: one or more members, one after the other.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>
 */
final class GzipDecompressor extends Decompressor {

    private static final long MAX_RATIO = 1032;
    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    private static final int MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();

    @Override
    public boolean isPlausible(long from, int compressed, int size) {
        return size <= compressed * MAX_RATIO;
    }

    @Override
    public long decompress(long from, int compressed, long to, int size) throws IOException {
        ByteBuffer in = OffHeap.view(from, compressed);
        ByteBuffer out = OffHeap.view(to, size);
        while (in.hasRemaining() && out.hasRemaining()) {
            member(in, out);
        }
        return out.position();
    }

    /** {@inheritDoc} That of a single member only, whose trailer tells its size. */
    @Override
    public int decompressBeginning(long from, int compressed, long to, int size, int least) {
        if (compressed < HEADER_BYTES + TRAILER_BYTES
                || OffHeap.getInt(from + compressed - Integer.BYTES) != size) {
            return 0;
        }
        ByteBuffer in = OffHeap.view(from, compressed - TRAILER_BYTES);
        ByteBuffer out = OffHeap.view(to, least);
        try {
            skipHeader(in);
            inflater.reset();
            inflater.setInput(in);
            while (out.hasRemaining() && inflater.inflate(out) > 0) {}
            return out.position();
        } catch (IOException | DataFormatException e) {
            return 0; // decompressing the whole will say it
        }
    }

    private void member(ByteBuffer in, ByteBuffer out) throws IOException {
        skipHeader(in);
        int start = out.position();
        inflater.reset();
        inflater.setInput(in);
        try {
            while (!inflater.finished()) {
                if (inflater.inflate(out) == 0 && !inflater.finished()) {
                    throw new IOException("a gzip member is cut or too long");
                }
            }
        } catch (DataFormatException e) {
            throw new IOException(e);
        }
        if (in.remaining() < TRAILER_BYTES) {
            throw new IOException("a gzip member has no trailer");
        }
        crc.reset();
        crc.update(out.duplicate().flip().position(start));
        if ((int) crc.getValue() != in.getInt() || in.getInt() != out.position() - start) {
            throw new IOException("a gzip member fails its checksum");
        }
    }

    private static void skipHeader(ByteBuffer in) throws IOException {
        if (in.remaining() < HEADER_BYTES
                || (in.getShort() & 0xFFFF) != MAGIC
                || in.get() != DEFLATE) {
            throw new IOException("no gzip member");
        }
        int flags = in.get();
        in.position(in.position() + HEADER_BYTES - 4);
        if ((flags & EXTRA) != 0) {
            skip(in, 2);
            skip(in, in.getShort(in.position() - 2) & 0xFFFF);
        }
        for (int text = flags & (NAME | COMMENT); text != 0; text &= text - 1) {
            do {
                skip(in, 1);
            } while (in.get(in.position() - 1) != 0);
        }
        if ((flags & HEADER_CRC) != 0) {
            skip(in, 2);
        }
    }

    private static void skip(ByteBuffer in, int bytes) throws IOException {
        if (bytes > in.remaining()) {
            throw new IOException("a gzip header is cut");
        }
        in.position(in.position() + bytes);
    }

    @Override
    public void close() {
        inflater.end();
    }
}
