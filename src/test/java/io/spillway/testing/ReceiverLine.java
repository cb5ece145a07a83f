package io.spillway.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One connection to a {@link Receiver}. */
public final class ReceiverLine implements AutoCloseable {

    private static final int MOST_BYTES = 1 << 30;

    private final Socket socket;
    private final int number;
    private final InputStream in;
    private final OutputStream out;

    ReceiverLine(Socket socket, int number, int bytesPerSecond) throws IOException {
        this.socket = socket;
        this.number = number;
        InputStream raw = socket.getInputStream();
        this.in =
                bytesPerSecond == 0
                        ? new BufferedInputStream(raw, 1 << 16)
                        : new SlowInput(raw, bytesPerSecond);
        this.out = new BufferedOutputStream(socket.getOutputStream(), 1 << 13);
    }

    /** Where the answer goes. */
    public OutputStream out() {
        return out;
    }

    /** Waits until the client has closed the connection. */
    public void untilGone() throws IOException {
        while (in.read() >= 0) {
            // What still comes is not wanted.
        }
        close();
    }

    /** Ends the connection by a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    boolean closed() {
        return socket.isClosed();
    }

    /** The next request, or null at the end. */
    @Nullable Received read(boolean keepBody) throws IOException {
        Received head = readHead();
        if (head == null) {
            return null;
        }
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        long bytes = body(head.headers(), keepBody ? kept : OutputStream.nullOutputStream());
        return head.with(kept.toByteArray(), bytes);
    }

    /** The head of the next request, or null at the end. */
    @Nullable Received readHead() throws IOException {
        String start = line();
        if (start == null) {
            return null;
        }
        String[] words = start.split(" ", 3);
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (first, next) -> first + ", " + next);
        }
        return new Received(0, number, words[0], words[1], headers, new byte[0], 0, Instant.now());
    }

    private long body(Map<String, String> headers, OutputStream to) throws IOException {
        if (!"chunked".equals(headers.get("transfer-encoding"))) {
            return copy(Long.parseLong(headers.getOrDefault("content-length", "0")), to);
        }
        long bytes = 0;
        while (true) {
            String size = line();
            if (size == null) {
                throw new EOFException("in a chunked body");
            }
            long chunk = Long.parseLong(size, 16);
            bytes += copy(chunk, to);
            line();
            if (chunk == 0) {
                return bytes;
            }
        }
    }

    private long copy(long bytes, OutputStream to) throws IOException {
        if (bytes > MOST_BYTES) {
            throw new IOException("too large a body for a test");
        }
        byte[] part = new byte[(int) Math.min(bytes, 1 << 16)];
        for (long left = bytes; left > 0; ) {
            int read = in.read(part, 0, (int) Math.min(left, part.length));
            if (read < 0) {
                throw new EOFException("in a body, " + left + " bytes before its end");
            }
            to.write(part, 0, read);
            left -= read;
        }
        return bytes;
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(64);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** Takes so many bytes a second from what is behind it. */
    private static final class SlowInput extends InputStream {

        private static final int PARTS_A_SECOND = 10;

        private final InputStream source;
        private final int bytesAPart;
        private int left;

        SlowInput(InputStream source, int bytesPerSecond) {
            this.source = source;
            this.bytesAPart = Math.max(1, bytesPerSecond / PARTS_A_SECOND);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (left == 0) {
                try {
                    Thread.sleep(1000 / PARTS_A_SECOND);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                left = bytesAPart;
            }
            int read = source.read(to, offset, Math.min(length, left));
            left -= Math.max(0, read);
            return read;
        }
    }
}
