package io.spillway.encode;

import java.nio.charset.StandardCharsets;

/** Texts of values that are always the same; each buffer of values' texts begins with them. */
final class Literals {

    private static final byte[] TEXT = "nulltruefalse\"\"NULL".getBytes(StandardCharsets.US_ASCII);

    static final long NOTHING = Spans.of(0, 0);
    static final long NULL = Spans.of(0, 4);
    static final long TRUE = Spans.of(4, 8);
    static final long FALSE = Spans.of(8, 13);

    /** A field of CSV that is empty. */
    static final long QUOTES = Spans.of(13, 15);

    /** Null in capital letters, as a field of CSV. */
    static final long NULL_WORD = Spans.of(15, TEXT.length);

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
