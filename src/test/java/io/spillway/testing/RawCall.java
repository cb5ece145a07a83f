package io.spillway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * A call, usually a GET, over a bare socket, for readers that behave in ways an HTTP client would
 * not let them: read slowly, stop, reset, leave. What arrives is raw: status line, headers, chunks.
 */
public final class RawCall implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket = new Socket();

    private final int port;

    /**
     * Sends the request.
     *
     * @param path path and query, encoded
     * @param receiveBuffer bytes that the kernel may hold for this reader
     */
    public RawCall(int port, String path, String accept, int receiveBuffer) {
        this(port, receiveBuffer);
        send("GET", path, accept);
    }

    private RawCall(int port, int receiveBuffer) {
        this.port = port;
        try {
            socket.setReceiveBufferSize(receiveBuffer);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same with another method. */
    public static RawCall of(
            int port, String method, String path, String accept, int receiveBuffer) {
        RawCall call = new RawCall(port, receiveBuffer);
        call.send(method, path, accept);
        return call;
    }

    /** Sends a request, the first one or, when an answer has been read, the next. */
    public void send(String method, String path, String accept) {
        String request =
                method
                        + " "
                        + path
                        + " HTTP/1.1\r\nHost: localhost:"
                        + port
                        + "\r\nAccept: "
                        + accept
                        + "\r\n\r\n";
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads so many bytes, or fewer if the connection ends before; returns how many. */
    public int read(int count) {
        return text(count).length();
    }

    /** So many bytes as text, a character a byte, or fewer if the connection ends before. */
    public String text(int count) {
        try {
            return new String(
                    socket.getInputStream().readNBytes(count), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Everything up to and including the first place where the text so far ends with {@code end}.
     */
    public String readUntil(String end) {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = socket.getInputStream();
            while (text.length() < end.length()
                    || !end.contentEquals(
                            text.subSequence(text.length() - end.length(), text.length()))) {
                int n = in.read(buffer);
                if (n < 0) {
                    throw new AssertionError("the connection ended before");
                }
                text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything up to the end of the connection, however it ends. */
    public String readToEnd() {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = socket.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            // A broken connection is one of the ends.
        }
        return text.toString();
    }

    /** Reads on to the end of the connection, and tells whether that is a RST rather than a FIN. */
    public boolean isReset() {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            return false;
        } catch (SocketTimeoutException e) {
            throw new UncheckedIOException(e);
        } catch (IOException e) {
            return true;
        }
    }

    /** Leaves with a RST instead of a FIN. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
