package io.spillway.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code text/event-stream} as the HTML Standard says (section 9.2.6, "Interpreting an event
 * stream"), in pieces of any size. Strict: where the standard has a browser overlook something – a
 * field that it does not know, an id with U+0000, a retry time that is none, an event without data,
 * bytes that are not UTF-8 – this fails, because a service that sends it has made a mistake.
 */
public final class EventStreamParser {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private final List<String> comments = new ArrayList<>();
    private boolean afterCarriageReturn;
    private boolean first = true;
    private boolean within;
    private String type = "";
    private @Nullable String id;
    private String lastEventId = "";
    private OptionalLong retry = OptionalLong.empty();
    private long fed;
    private long settled;

    /**
     * An event as a browser's listener gets it.
     *
     * @param type its name; {@code message} if it has none
     * @param id its own id, or null if the event has none
     * @param lastEventId the id that a reconnection after it would name; empty if there is none
     * @param data its data, whose lines are separated by line feeds
     */
    public record Event(String type, @Nullable String id, String lastEventId, String data) {}

    /** All events of a whole text, whose last one must be complete. */
    public static List<Event> parse(String text) {
        EventStreamParser parser = new EventStreamParser();
        List<Event> events = parser.feed(text.getBytes(StandardCharsets.UTF_8));
        if (!parser.atRest()) {
            throw new AssertionError("the text ends within an event");
        }
        return events;
    }

    /** Takes further bytes; gives the events that they complete. */
    public List<Event> feed(byte[] bytes) {
        return feed(bytes, 0, bytes.length);
    }

    /** Takes further bytes {@code [from, to)}; gives the events that they complete. */
    public List<Event> feed(byte[] bytes, int from, int to) {
        List<Event> events = new ArrayList<>();
        for (int i = from; i < to; i++) {
            fed++;
            byte b = bytes[i];
            boolean second = b == '\n' && afterCarriageReturn;
            afterCarriageReturn = b == '\r';
            if (second) {
                settled += settled == fed - 1 ? 1 : 0;
            } else if (b == '\r' || b == '\n') {
                endLine(events);
            } else {
                line.write(b);
            }
        }
        return events;
    }

    /** The comments so far, without their colons. */
    public List<String> comments() {
        return List.copyOf(comments);
    }

    /** Milliseconds to wait before a reconnection, if the stream has told. */
    public OptionalLong retry() {
        return retry;
    }

    /** What a browser would send as {@code Last-Event-ID} if the connection broke now. */
    public String lastEventId() {
        return lastEventId;
    }

    /** Whether the bytes so far end between events; what else they had would be thrown away. */
    public boolean atRest() {
        return !within && line.size() == 0;
    }

    /** The number of bytes up to and including the last event or comment that was complete. */
    public long settledBytes() {
        return settled;
    }

    private void endLine(List<Event> events) {
        String text = utf8(line.toByteArray());
        line.reset();
        if (first && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
            text = text.substring(1);
        }
        first = false;
        int colon = text.indexOf(':');
        if (text.isEmpty()) {
            dispatch(events);
        } else if (colon == 0) {
            comments.add(text.substring(1));
        } else if (colon < 0) {
            field(text, "");
        } else {
            int value = text.startsWith(" ", colon + 1) ? colon + 2 : colon + 1;
            field(text.substring(0, colon), text.substring(value));
        }
        if (!within) {
            settled = fed;
        }
    }

    private void field(String name, String value) {
        within = true;
        switch (name) {
            case "event" -> type = value;
            case "data" -> data.append(value).append('\n');
            case "id" -> {
                if (value.indexOf('\0') >= 0) {
                    throw new AssertionError("an id with U+0000 is no id");
                }
                id = value;
            }
            case "retry" -> {
                if (!value.matches("[0-9]{1,18}")) {
                    throw new AssertionError("'" + value + "' is no time");
                }
                retry = OptionalLong.of(Long.parseLong(value));
            }
            default -> throw new AssertionError("there is no field '" + name + "'");
        }
    }

    private void dispatch(List<Event> events) {
        if (id != null) {
            lastEventId = id;
        }
        if (!data.isEmpty()) {
            String text = data.substring(0, data.length() - 1);
            events.add(new Event(type.isEmpty() ? "message" : type, id, lastEventId, text));
        } else if (!type.isEmpty()) {
            throw new AssertionError("the event '" + type + "' has no data: no browser shows it");
        }
        type = "";
        data.setLength(0);
        id = null;
        within = false;
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new AssertionError("a line of the stream is not UTF-8", e);
        }
    }
}
