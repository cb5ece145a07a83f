package io.spillway.benchmark;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A GET whose answer is read at the caller's own pace and otherwise thrown away, at as little cost
 * as can be: the client shares the machine with what it measures. Understands bodies of known
 * length and chunked ones with trailers (RFC 9112).
 */
final class ChunkedResponse implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 18];
    private int position;
    private int filled;
    private final Map<String, String> fields = new TreeMap<>();
    private final boolean chunked;
    private long left;
    private long read;
    private boolean ended;

    ChunkedResponse(int port, String target, String accept) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        out.write(
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: %s\r\nConnection: close\r\n\r\n"
                        .formatted(target, port, accept)
                        .getBytes(StandardCharsets.US_ASCII));
        String status = line();
        readFields();
        if (!status.startsWith("HTTP/1.1 200")) {
            socket.close();
            throw new IOException(status + " for " + target);
        }
        chunked = fields.getOrDefault("transfer-encoding", "").equals("chunked");
        left = chunked ? 0 : Long.parseLong(fields.getOrDefault("content-length", "0"));
    }

    /**
     * Reads on, once, as much as is there and fits.
     *
     * @return whether the body goes on
     */
    boolean read() throws IOException {
        if (ended) {
            return false;
        }
        if (left == 0 && (!chunked || nextChunk())) {
            ended = true;
            return false;
        }
        if (position == filled) {
            fill();
        }
        int taken = (int) Math.min(left, filled - position);
        position += taken;
        left -= taken;
        read += taken;
        return true;
    }

    /** Reads to the end. */
    void drain() throws IOException {
        while (read()) {
            // All is in the condition.
        }
    }

    /** Bytes of body so far. */
    long bytes() {
        return read;
    }

    /** The value of a header or, at the end, of a trailer; empty if there is none. */
    String field(String name) {
        return fields.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** Goes to the next chunk; true if there is none. */
    private boolean nextChunk() throws IOException {
        if (read > 0) {
            line();
        }
        left = Long.parseLong(line(), 16);
        if (left == 0) {
            readFields();
        }
        return left == 0;
    }

    private void readFields() throws IOException {
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            fields.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            if (position == filled) {
                fill();
            }
            char c = (char) (buffer[position++] & 0xFF);
            if (c == '\n') {
                return line.toString();
            }
            if (c != '\r') {
                line.append(c);
            }
        }
    }

    private void fill() throws IOException {
        position = 0;
        filled = in.read(buffer);
        if (filled < 0) {
            throw new EOFException("the connection broke after " + read + " bytes");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
