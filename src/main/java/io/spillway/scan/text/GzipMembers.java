package io.spillway.scan.text;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * What the members of a gzip file hold, one after the other, up to the file's very end. (Java's own
 * stream takes what it cannot read behind a member for the end.)
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>
 */
final class GzipMembers extends InputStream {

    private static final int BUFFER = 64 << 10;
    private static final int DEFLATE = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final FileStream file;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int there;
    private boolean inside;

    GzipMembers(FileStream file) {
        this.file = file;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            while (true) {
                if (!inside && !begin()) {
                    return -1;
                }
                int read = inflater.inflate(into, offset, length);
                crc.update(into, offset, read);
                if (inflater.finished()) {
                    end();
                } else if (read == 0) {
                    refill();
                }
                if (read > 0) {
                    return read;
                }
            }
        } catch (DataFormatException e) {
            throw new IOException("its compressed bytes are damaged", e);
        }
    }

    private void refill() throws IOException {
        if (inflater.needsDictionary()) {
            throw new IOException("its compressed bytes are damaged");
        }
        there = file.read(buffer, 0, BUFFER);
        if (there < 0) {
            throw new EOFException("it is cut");
        }
        inflater.setInput(buffer, 0, there);
    }

    /** The next byte outside of compressed ones. */
    private int next() throws IOException {
        int left = inflater.getRemaining();
        if (left == 0) {
            int read = file.read();
            if (read < 0) {
                throw new EOFException("it is cut");
            }
            return read;
        }
        int value = buffer[there - left] & 0xFF;
        inflater.setInput(buffer, there - left + 1, left - 1);
        return value;
    }

    private boolean begin() throws IOException {
        if (inflater.getRemaining() == 0 && file.atEnd()) {
            return false;
        }
        if (next() != 0x1F || next() != 0x8B || next() != DEFLATE) {
            throw new IOException("something else follows its last member");
        }
        int flags = next();
        if ((flags & RESERVED) != 0) {
            throw new IOException("a member's header is damaged");
        }
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip(next() | next() << 8);
        }
        for (int texts = flags & (NAME | COMMENT); texts != 0; texts &= texts - 1) {
            while (next() != 0) {}
        }
        if ((flags & HEADER_CRC) != 0) {
            skip(2);
        }
        // What is left of the input is the member's.
        int left = inflater.getRemaining();
        inflater.reset();
        inflater.setInput(buffer, there - left, left);
        crc.reset();
        inside = true;
        return true;
    }

    private void end() throws IOException {
        long size = inflater.getBytesWritten();
        inside = false;
        if (word() != (int) crc.getValue() || word() != (int) size) {
            throw new IOException("a member fails its checksum");
        }
    }

    private int word() throws IOException {
        return next() | next() << 8 | next() << 16 | next() << 24;
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            next();
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
