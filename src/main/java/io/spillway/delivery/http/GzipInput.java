package io.spillway.delivery.http;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Buffers as one gzip member (RFC 1952), made while it is read. The same bytes give the same
 * member: it carries neither name nor time.
 */
final class GzipInput extends InputStream {

    /** Somewhat larger than the usual level makes it, at twice its speed. */
    private static final int LEVEL = 4;

    private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int TAIL_BYTES = 8;

    private final Deflater deflater = new Deflater(LEVEL, true);
    private final CRC32 checksum = new CRC32();
    private final Iterator<ByteBuffer> parts;
    private ByteBuffer ready = ByteBuffer.wrap(HEAD);
    private boolean tailMade;

    /**
     * @param parts their positions and limits are left alone
     */
    GzipInput(List<ByteBuffer> parts) {
        this.parts = parts.iterator();
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (ready.hasRemaining()) {
            return copyReady(to, offset, length);
        }
        while (!deflater.finished()) {
            if (deflater.needsInput()) {
                feed();
            }
            int made = deflater.deflate(to, offset, length);
            if (made > 0) {
                return made;
            }
        }
        if (tailMade) {
            return -1;
        }
        tailMade = true;
        ready =
                ByteBuffer.allocate(TAIL_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt((int) checksum.getValue())
                        .putInt((int) deflater.getBytesRead())
                        .flip();
        return copyReady(to, offset, length);
    }

    private void feed() {
        if (parts.hasNext()) {
            ByteBuffer part = parts.next();
            checksum.update(part.duplicate());
            deflater.setInput(part.duplicate());
        } else {
            deflater.finish();
        }
    }

    private int copyReady(byte[] to, int offset, int length) {
        int copied = Math.min(length, ready.remaining());
        ready.get(to, offset, copied);
        return copied;
    }

    @Override
    public void close() {
        deflater.end();
    }
}
