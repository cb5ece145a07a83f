package io.spillway.delivery.http;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;

/** Buffers as a stream. Their positions and limits are left alone. */
final class PartsInput extends InputStream {

    private final Iterator<ByteBuffer> parts;
    private ByteBuffer part = ByteBuffer.allocate(0);

    PartsInput(List<ByteBuffer> parts) {
        this.parts = parts.iterator();
    }

    @Override
    public int read() {
        return more() ? part.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (!more()) {
            return -1;
        }
        int copied = Math.min(length, part.remaining());
        part.get(to, offset, copied);
        return copied;
    }

    private boolean more() {
        while (!part.hasRemaining()) {
            if (!parts.hasNext()) {
                return false;
            }
            part = parts.next().duplicate();
        }
        return true;
    }
}
