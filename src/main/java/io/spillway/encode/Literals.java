package io.spillway.encode;

import java.nio.charset.StandardCharsets;

/** The fixed texts of JSON values; each buffer of values' texts begins with them. */
final class Literals {

    private static final byte[] TEXT = "nulltruefalse".getBytes(StandardCharsets.US_ASCII);

    static final long NULL = Spans.of(0, 4);
    static final long TRUE = Spans.of(4, 8);
    static final long FALSE = Spans.of(8, TEXT.length);

    private Literals() {}

    /** A buffer in which the spans of the literals are right. */
    static TextBuffer buffer(int capacity) {
        TextBuffer buffer = new TextBuffer(capacity);
        buffer.append(TEXT);
        return buffer;
    }

    /** Appends {@code null}. */
    static void appendNull(TextBuffer out) {
        out.append(TEXT, Spans.start(NULL), Spans.length(NULL));
    }

    /** Drops all texts but the literals. */
    static void clear(TextBuffer buffer) {
        buffer.end = TEXT.length;
    }
}
