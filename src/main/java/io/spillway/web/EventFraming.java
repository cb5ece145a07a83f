package io.spillway.web;

import io.spillway.encode.BatchEncoders;
import io.spillway.encode.EncodedChunk;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A stream of server-sent events: the wait before a reconnection and the schema first, events of
 * rows, news of the progress and comments where nothing else comes, and one event that tells how it
 * ended.
 *
 * <p>An event that is not whole yet is held back as long as it fits its last chunk. A client could
 * not use it before anyway, and the stream stays at a place where news and comments may stand.
 */
final class EventFraming implements Framing {

    /** A client that waits for rows learns within this time that there are none yet. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(1).toNanos();

    /** How often progress is told while rows come. */
    private static final long NEWS_NANOS = Duration.ofSeconds(5).toNanos();

    private final EventAnswer answer;
    private final Texts texts;
    private final long heartbeatNanos;
    private final long opened = System.nanoTime();
    private long next;
    private boolean begun;

    /** Whether what has been sent ends with a whole event. */
    private boolean whole = true;

    private @Nullable Held held;
    private long lastSent = opened;
    private long lastNews = opened;
    private String news = "";

    /** Bytes from {@code from} on of a chunk that is owned here. */
    private record Held(EncodedChunk chunk, int from) {}

    /** What the stream says besides its rows. */
    interface Texts {

        /** Everything before the first rows. */
        byte[] head();

        /** The last event. */
        byte[] end(long next);

        /** What a `progress` event tells now. */
        String progress();

        /** The event that tells of a failure; null if the stream only breaks. */
        byte @Nullable [] failure(SpillwayException cause);
    }

    /**
     * @param heartbeat a comment follows after so long a time without anything else
     */
    EventFraming(EventAnswer answer, Texts texts, Duration heartbeat) {
        this.answer = answer;
        this.texts = texts;
        this.heartbeatNanos = heartbeat.toNanos();
        this.next = answer.reading().from();
    }

    private void begin(Out out) {
        if (!begun) {
            begun = true;
            out.text(texts.head());
        }
    }

    @Override
    public void rows(EncodedChunk chunk, Out out) {
        begin(out);
        sendHeld(out);
        next += chunk.rows();
        int end = wholeEvents(chunk);
        if (end == chunk.length()) {
            out.chunk(chunk, 0, end);
            whole = true;
        } else if (end > 0) {
            chunk.bytes().getReferenceManager().retain();
            out.chunk(chunk, 0, end);
            whole = true;
            held = new Held(chunk, end);
        } else if (whole) {
            held = new Held(chunk, 0);
        } else {
            out.chunk(chunk, 0, chunk.length());
        }
        lastSent = System.nanoTime();
    }

    private void sendHeld(Out out) {
        Held start = held;
        if (start != null) {
            held = null;
            whole = false;
            out.chunk(start.chunk(), start.from(), start.chunk().length());
        }
    }

    /** Where the last event that ends in a chunk ends; 0 if none does. */
    private int wholeEvents(EncodedChunk chunk) {
        // An empty line ends an event and stands nowhere else: data has no line breaks.
        for (int i = chunk.length() - 1; i > 0; i--) {
            if (chunk.bytes().getByte(i) == '\n' && chunk.bytes().getByte(i - 1) == '\n') {
                return i + 1;
            }
        }
        return 0;
    }

    @Override
    public void end(Out out) {
        begin(out);
        closeEvent(out);
        out.text(texts.end(next));
    }

    /** Sends the rows of an event that will get no more. */
    private void closeEvent(Out out) {
        sendHeld(out);
        out.text(BatchEncoders.tail(answer.reading().format(), next));
        whole = true;
    }

    @Override
    public void failure(Throwable cause, Out out) {
        byte[] told =
                begun && cause instanceof SpillwayException known ? texts.failure(known) : null;
        if (told == null) {
            return;
        }
        if (answer.mayBreakOff()) {
            closeEvent(out);
        } else if (whole) {
            // What is held back has not begun for the client.
            close();
        } else {
            return;
        }
        out.text(told);
    }

    @Override
    public void tick(long now, boolean waiting, Out out) {
        if (!begun) {
            if (now - opened < PATIENCE_NANOS) {
                return;
            }
            begin(out);
            lastSent = now;
        }
        if (!whole) {
            return;
        }
        long pause = waiting ? PATIENCE_NANOS : NEWS_NANOS;
        if (now - lastNews >= pause) {
            lastNews = now;
            String latest = texts.progress();
            if (!latest.equals(news)) {
                news = latest;
                lastSent = now;
                out.text(ServerSentEvents.event("progress", latest));
            }
        }
        if (now - lastSent >= heartbeatNanos) {
            lastSent = now;
            out.text(ServerSentEvents.comment(""));
        }
    }

    @Override
    public boolean ticks() {
        return true;
    }

    @Override
    public void close() {
        Held dropped = held;
        if (dropped != null) {
            held = null;
            dropped.chunk().close();
        }
    }
}
