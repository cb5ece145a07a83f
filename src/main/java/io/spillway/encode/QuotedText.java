package io.spillway.encode;

import org.apache.arrow.vector.FieldVector;

/** JSON text as fields of CSV, always in quotes. */
final class QuotedText extends NestedText {

    private final NestedText json;
    private final byte[] none;

    /**
     * @param none the field of null
     */
    QuotedText(NestedText json, byte[] none) {
        this.json = json;
        this.none = none;
    }

    @Override
    void bind(FieldVector vector, int from, int to) {
        bindValidity(vector);
        json.bind(vector, from, to);
    }

    @Override
    void appendNull(TextBuffer out) {
        out.append(none);
    }

    @Override
    void appendValue(int index, int row, Scratch scratch, TextBuffer out) {
        out.append('"');
        int start = out.end;
        json.appendValue(index, row, scratch, out);
        doubleQuotes(start, out);
        out.append('"');
    }

    private static void doubleQuotes(int start, TextBuffer out) {
        int quotes = 0;
        for (int i = start; i < out.end; i++) {
            quotes += out.bytes[i] == '"' ? 1 : 0;
        }
        out.reserve(quotes);
        byte[] text = out.bytes;
        int to = out.end + quotes;
        out.end = to;
        // From the end on; as soon as both meet, the rest stands where it belongs.
        for (int from = to - quotes; from < to; ) {
            byte b = text[--from];
            text[--to] = b;
            if (b == '"') {
                text[--to] = b;
            }
        }
    }

    @Override
    long bytes(FieldVector vector, int from, int to) {
        return json.bytes(vector, from, to);
    }
}
