package io.spillway.scan.text;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the frames of a Zstandard file hold, one after the other, up to the file's very end. (The
 * library's own stream takes a last frame that is cut before its first block for the end.)
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878">RFC 8878</a>
 */
final class ZstdFrames extends InputStream {

    /**
     * The largest distance at which a frame may refer to what came before: 8 MiB, which every
     * decoder should support (3.1.1.1.2) and all levels but the "ultra" ones keep to.
     */
    private static final long MAX_WINDOW = 8 << 20;

    private static final int BUFFER = 64 << 10;
    private static final int MAGIC = 0xFD2F_B528;
    private static final int SINGLE_SEGMENT = 0x20;
    private static final int MOST_HEADER = 18;
    private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};

    private final FileStream file;
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();
    private final ByteBuffer in =
            ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER).limit(0);
    private final byte[] part = new byte[BUFFER];
    private boolean inside;

    ZstdFrames(FileStream file) {
        this.file = file;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (!out.hasRemaining()) {
            if (!inside && !begin()) {
                return -1;
            }
            if (!in.hasRemaining() && !refill()) {
                throw new EOFException("it is cut");
            }
            out.clear();
            try {
                inside = !context.decompressDirectByteBufferStream(out, in);
            } catch (ZstdException e) {
                throw new IOException("its compressed bytes are damaged", e);
            }
            out.flip();
        }
        int read = Math.min(length, out.remaining());
        out.get(into, offset, read);
        return read;
    }

    /** Looks at the next frame's header; false if there is none. */
    private boolean begin() throws IOException {
        while (in.remaining() < MOST_HEADER && refill()) {}
        if (!in.hasRemaining()) {
            return false;
        }
        int at = in.position();
        if (in.remaining() >= 2 * Integer.BYTES - 2 && in.getInt(at) == MAGIC) {
            int descriptor = in.get(at + 4);
            if ((descriptor & SINGLE_SEGMENT) == 0) {
                int window = in.get(at + 5) & 0xFF;
                long base = 1L << (10 + (window >>> 3));
                checkWindow(base + base / 8 * (window & 7));
            } else {
                checkWindow(contentSize(at, descriptor));
            }
        }
        inside = true;
        return true;
    }

    /** The size of a frame whose window is as large as all of it. */
    private long contentSize(int at, int descriptor) throws IOException {
        int from = at + 5 + DICTIONARY_BYTES[descriptor & 3];
        int bytes = 1 << ((descriptor >>> 6) & 3);
        if (from + bytes > in.limit()) {
            throw new EOFException("it is cut");
        }
        return switch (bytes) {
            case 1 -> in.get(from) & 0xFF;
            case 2 -> (in.getShort(from) & 0xFFFF) + 256;
            case 4 -> in.getInt(from) & 0xFFFF_FFFFL;
            default -> in.getLong(from);
        };
    }

    private static void checkWindow(long window) throws IOException {
        if (window < 0 || window > MAX_WINDOW) {
            throw new IOException("it needs a window of more than %,d bytes".formatted(MAX_WINDOW));
        }
    }

    private boolean refill() throws IOException {
        in.compact();
        int read = file.read(part, 0, in.remaining());
        if (read > 0) {
            in.put(part, 0, read);
        }
        in.flip();
        return read > 0;
    }

    @Override
    public void close() {
        context.close();
    }
}
