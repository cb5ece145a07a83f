package io.spillway.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** What a {@link Receiver} does once it has stored a request: an honest answer, or mischief. */
@FunctionalInterface
public interface Reply {

    /** A bomb is made of members of this size, each made once. */
    int BOMB_MEMBER_BYTES = 16 << 20;

    /** Answers, or does not. Whatever it throws ends the connection. */
    void send(ReceiverLine line) throws IOException, InterruptedException;

    /** An answer of this status, without a body. */
    static Plain status(int status) {
        return new Plain(status, Map.of(), new byte[0], Duration.ZERO);
    }

    /** 200 and a body of this JSON. */
    static Plain json(String json) {
        return status(200).header("Content-Type", "application/json").body(json);
    }

    /** 302 to elsewhere. */
    static Plain redirect(URI to) {
        return status(302).header("Location", to.toString());
    }

    /** An answer that is as it should be. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Plain(int status, Map<String, String> headers, byte[] body, Duration delay)
            implements Reply {

        public Plain header(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Plain(status, more, body, delay);
        }

        public Plain body(String text) {
            return body(text.getBytes(StandardCharsets.UTF_8));
        }

        public Plain body(byte[] bytes) {
            return new Plain(status, headers, bytes, delay);
        }

        /** The same, so much later. */
        public Plain after(Duration wait) {
            return new Plain(status, headers, body, wait);
        }

        @Override
        public void send(ReceiverLine line) throws IOException, InterruptedException {
            if (delay.isPositive()) {
                Thread.sleep(delay);
            }
            ByteArrayOutputStream answer = new ByteArrayOutputStream(body.length + 256);
            answer.writeBytes(head(status, headers, "Content-Length: " + body.length));
            answer.writeBytes(body);
            line.out().write(answer.toByteArray());
            line.out().flush();
        }
    }

    /** Nothing, until the client has gone. */
    static Reply never() {
        return ReceiverLine::untilGone;
    }

    /** Status and headers of a longer answer, then nothing. */
    static Reply headThenNothing() {
        return line -> {
            line.out().write(head(200, Map.of(), "Content-Length: 1000"));
            line.out().flush();
            line.untilGone();
        };
    }

    /** A body of which one byte comes at a time. */
    static Reply drip(Duration everySoOften) {
        return line -> {
            line.out().write(head(200, Map.of(), "Content-Length: 1000000"));
            while (true) {
                line.out().write('x');
                line.out().flush();
                Thread.sleep(everySoOften);
            }
        };
    }

    /** A head of which one byte comes at a time. */
    static Reply dripHead(Duration everySoOften) {
        return line -> {
            line.out().write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.ISO_8859_1));
            while (true) {
                line.out().write('x');
                line.out().flush();
                Thread.sleep(everySoOften);
            }
        };
    }

    /** A body without end, as fast as it is taken. */
    static Reply endless() {
        return line -> {
            line.out().write(head(200, Map.of(), "Transfer-Encoding: chunked"));
            byte[] chunk =
                    ("1000\r\n" + "e".repeat(0x1000) + "\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1);
            while (true) {
                line.out().write(chunk);
            }
        };
    }

    /** A compressed body that opens to so many zeros, a thousand times its size. */
    static Reply gzipBomb(long opened) throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        byte[] member = gzip((int) Math.min(opened, BOMB_MEMBER_BYTES));
        for (long left = opened; left > 0; left -= BOMB_MEMBER_BYTES) {
            bomb.write(left >= BOMB_MEMBER_BYTES ? member : gzip((int) left));
        }
        return status(200).header("Content-Encoding", "gzip").body(bomb.toByteArray());
    }

    private static byte[] gzip(int zeros) throws IOException {
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(member)) {
            gzip.write(new byte[zeros]);
        }
        return member.toByteArray();
    }

    /** The connection is reset. */
    static Reply reset() {
        return ReceiverLine::reset;
    }

    /** The connection ends in order, without an answer. */
    static Reply close() {
        return ReceiverLine::close;
    }

    /** These bytes, whatever they are, and then the end of the connection. */
    static Reply raw(String bytes) {
        return line -> {
            line.out().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            line.out().flush();
            line.close();
        };
    }

    private static byte[] head(int status, Map<String, String> headers, String lengthHeader) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Status\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return head.append(lengthHeader)
                .append("\r\n\r\n")
                .toString()
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
