package io.spillway.testing;

import io.spillway.testing.EventStreamParser.Event;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader of server-sent events over a connection of its own, event by event. */
public final class EventStream implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;

    private final ChunkedResponse response;
    private final EventStreamParser parser = new EventStreamParser();
    private final ArrayDeque<Event> ready = new ArrayDeque<>();

    private EventStream(ChunkedResponse response) {
        this.response = response;
    }

    /**
     * Opens a stream of events.
     *
     * @param lastEventId the id to go on after, or null to begin
     */
    public static EventStream open(int port, String target, @Nullable String lastEventId)
            throws IOException {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "text/event-stream"));
        if (lastEventId != null) {
            headers.put("Last-Event-ID", lastEventId);
        }
        return open(ChunkedResponse.get(port, target, headers));
    }

    /** The events of an answer, which from now on is this one's; it must be a 200. */
    public static EventStream open(ChunkedResponse response) throws IOException {
        response.timeoutMillis(PATIENCE_MILLIS);
        if (response.status() != 200
                || !response.field("Content-Type").startsWith("text/event-stream")) {
            try (response) {
                throw new AssertionError(
                        response.status()
                                + " "
                                + response.field("Content-Type")
                                + ": "
                                + response.text());
            }
        }
        return new EventStream(response);
    }

    /** The next event; null when the stream has come to its clean end. */
    public @Nullable Event next() throws IOException {
        while (ready.isEmpty()) {
            byte[] bytes = response.next();
            if (bytes.length == 0) {
                if (!parser.atRest()) {
                    throw new AssertionError("the stream ends within an event");
                }
                return null;
            }
            ready.addAll(parser.feed(bytes));
        }
        return ready.remove();
    }

    /** The next event of a type, those before it overlooked. */
    public Event next(String type) throws IOException {
        for (Event event = next(); event != null; event = next()) {
            if (event.type().equals(type)) {
                return event;
            }
        }
        throw new AssertionError("there is no further event '" + type + "'");
    }

    /** All events up to the clean end. */
    public List<Event> rest() throws IOException {
        List<Event> events = new ArrayList<>();
        for (Event event = next(); event != null; event = next()) {
            events.add(event);
        }
        return events;
    }

    /** What has been told beside events. */
    public EventStreamParser parser() {
        return parser;
    }

    /** A field of the answer's head. */
    public String header(String name) {
        return response.field(name);
    }

    /** Leaves with a RST instead of a FIN. */
    public void reset() throws IOException {
        response.reset();
    }

    @Override
    public void close() throws IOException {
        response.close();
    }
}
