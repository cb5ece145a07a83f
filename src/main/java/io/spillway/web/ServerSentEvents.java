package io.spillway.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/**
 * The event stream format of the HTML standard (section 9.2, "Server-sent events"), as UTF-8: one
 * event, comment or instruction at a time, each whole, so that they can follow each other in any
 * order.
 */
final class ServerSentEvents {

    /** The media type of an event stream, which is always UTF-8. */
    static final MediaType TYPE = MediaType.TEXT_EVENT_STREAM;

    private ServerSentEvents() {}

    /**
     * An event without an id: what a client would resume at stays as it was.
     *
     * @param name the event's type, on one line
     * @param data may have line breaks, of any kind; the client sees each as a line feed
     */
    static byte[] event(String name, String data) {
        return event(name, data, null);
    }

    /**
     * An event.
     *
     * @param name the event's type, on one line
     * @param data may have line breaks, of any kind; the client sees each as a line feed
     * @param id what the client will send as {@code Last-Event-ID}, on one line
     */
    static byte[] event(String name, String data, @Nullable String id) {
        StringBuilder text = new StringBuilder(data.length() + 64);
        text.append("event: ").append(oneLine(name)).append('\n');
        lines(text, "data: ", data);
        if (id != null) {
            text.append("id: ").append(oneLine(id)).append('\n');
        }
        return utf8(text.append('\n'));
    }

    /** Text that clients skip; it keeps a quiet connection from being taken for a dead one. */
    static byte[] comment(String text) {
        StringBuilder comment = new StringBuilder(text.length() + 8);
        lines(comment, ": ", text);
        return utf8(comment.append('\n'));
    }

    /** Tells the client how long to wait before it connects again. */
    static byte[] retry(Duration pause) {
        return utf8(new StringBuilder("retry: ").append(pause.toMillis()).append("\n\n"));
    }

    /** Each line of the text behind the field's name: CR LF, LF and CR all end a line. */
    private static void lines(StringBuilder to, String field, String text) {
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r') {
                to.append(field).append(text, start, i).append('\n');
                if (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n') {
                    i++;
                }
                start = i + 1;
            }
        }
        to.append(field).append(text, start, text.length()).append('\n');
    }

    private static String oneLine(String text) {
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0 || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("Not on one line: " + text);
        }
        return text;
    }

    private static byte[] utf8(StringBuilder text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
