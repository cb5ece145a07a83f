package io.spillway.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A call whose answer is read at the caller's own pace, at as little cost as can be: the client
 * shares the machine with what it measures. Understands bodies of known length and chunked ones
 * with trailers (RFC 9112); a body that ends before its end is an {@link EOFException}, whose bytes
 * up to there have been given.
 */
public final class ChunkedResponse implements AutoCloseable {

    private static final int BUFFER = 1 << 18;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final byte[] buffer;
    private int position;
    private int filled;
    private final Map<String, String> fields = new TreeMap<>();
    private final int status;
    private final boolean chunked;
    private long left;
    private long read;
    private boolean ended;

    /**
     * Sends a GET and reads the answer's head.
     *
     * @param target path and query, encoded
     * @param headers beside Host and Connection
     */
    public static ChunkedResponse get(int port, String target, Map<String, String> headers)
            throws IOException {
        return get(port, target, headers, BUFFER);
    }

    /**
     * The same by a reader for whom little is kept.
     *
     * @param receiveBuffer bytes that the kernel, and again this, may hold of what is not read yet
     */
    public static ChunkedResponse get(
            int port, String target, Map<String, String> headers, int receiveBuffer)
            throws IOException {
        return new ChunkedResponse(port, "GET " + target, headers, "", receiveBuffer);
    }

    /**
     * Sends a POST of a JSON text and reads the answer's head.
     *
     * @param target path and query, encoded
     */
    public static ChunkedResponse post(int port, String target, String accept, String json)
            throws IOException {
        return new ChunkedResponse(
                port,
                "POST " + target,
                Map.of("Accept", accept, "Content-Type", "application/json"),
                json,
                BUFFER);
    }

    /** The same for an answer that must be a 200. */
    public static ChunkedResponse ok(int port, String target, String accept) throws IOException {
        ChunkedResponse response = get(port, target, Map.of("Accept", accept));
        if (response.status != 200) {
            try (response) {
                throw new IOException(response.status + " for " + target + ": " + response.text());
            }
        }
        return response;
    }

    private ChunkedResponse(
            int port, String call, Map<String, String> headers, String body, int receiveBuffer)
            throws IOException {
        buffer = new byte[Math.min(receiveBuffer, BUFFER)];
        if (receiveBuffer < BUFFER) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = socket.getInputStream();
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(call + " HTTP/1.1\r\nHost: 127.0.0.1:" + port);
        headers.forEach((name, value) -> head.append("\r\n" + name + ": " + value));
        if (content.length > 0) {
            head.append("\r\nContent-Length: ").append(content.length);
        }
        head.append("\r\nConnection: close\r\n\r\n");
        OutputStream out = socket.getOutputStream();
        out.write(head.toString().getBytes(StandardCharsets.UTF_8));
        out.write(content);
        String line = line();
        readFields();
        status = Integer.parseInt(line.substring("HTTP/1.1 ".length()).substring(0, 3));
        chunked = fields.getOrDefault("transfer-encoding", "").equals("chunked");
        left = chunked ? 0 : Long.parseLong(fields.getOrDefault("content-length", "0"));
    }

    /** The status code. */
    public int status() {
        return status;
    }

    /**
     * Reads on, once, as much as is there, and throws it away.
     *
     * @return whether the body goes on
     */
    public boolean read() throws IOException {
        return take() > 0;
    }

    /** Reads to the end, and throws it away. */
    public void drain() throws IOException {
        while (read()) {
            // All is in the condition.
        }
    }

    /**
     * Reads on, once, as much as is there.
     *
     * @return the bytes; empty at the body's end
     */
    public byte[] next() throws IOException {
        int taken = take();
        byte[] bytes = new byte[taken];
        System.arraycopy(buffer, position - taken, bytes, 0, taken);
        return bytes;
    }

    /** All of the body that has not been read. */
    public byte[] readAll() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] bytes = next(); bytes.length > 0; bytes = next()) {
            all.writeBytes(bytes);
        }
        return all.toByteArray();
    }

    /** The same as text. */
    public String text() throws IOException {
        return new String(readAll(), StandardCharsets.UTF_8);
    }

    /** Bytes of body so far. */
    public long bytes() {
        return read;
    }

    /** The value of a header or, at the end, of a trailer; empty if there is none. */
    public String field(String name) {
        return fields.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** Fails a read that waits longer than this. */
    public void timeoutMillis(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** Leaves with a RST instead of a FIN. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Goes on by the bytes that are there of one chunk; they stand before the position. */
    private int take() throws IOException {
        if (ended) {
            return 0;
        }
        if (left == 0 && (!chunked || isLastChunk())) {
            ended = true;
            return 0;
        }
        if (position == filled) {
            fill();
        }
        int taken = (int) Math.min(left, filled - position);
        position += taken;
        left -= taken;
        read += taken;
        return taken;
    }

    /** Goes to the next chunk; true if there is none. */
    private boolean isLastChunk() throws IOException {
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
        filled = Math.max(0, in.read(buffer));
        if (filled == 0) {
            throw new EOFException("the connection broke after " + read + " bytes");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
