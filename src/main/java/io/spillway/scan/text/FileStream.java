package io.spillway.scan.text;

import io.spillway.scan.bytes.OpenFile;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A file as the kind of stream that decompressors read. */
final class FileStream extends InputStream {

    private final OpenFile file;
    private final byte[] buffer;
    private long position;
    private int at;
    private int there;

    /**
     * @param buffer bytes of one read
     */
    FileStream(OpenFile file, int buffer) {
        this.file = file;
        this.buffer = new byte[buffer];
    }

    @Override
    public int read() {
        return fill() ? buffer[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int read = Math.min(length, there - at);
        System.arraycopy(buffer, at, into, offset, read);
        at += read;
        return read;
    }

    /** Whether all bytes have been read. */
    boolean atEnd() {
        return !fill();
    }

    private boolean fill() {
        if (at < there) {
            return true;
        }
        int next = (int) Math.min(buffer.length, file.pinned().size() - position);
        if (next > 0) {
            file.readFully(position, ByteBuffer.wrap(buffer, 0, next));
            position += next;
        }
        at = 0;
        there = next;
        return next > 0;
    }
}
