package io.spillway.encode;

/**
 * Values as fields of CSV that never need quotes: their JSON texts without any.
 *
 * @param none the span of null
 */
record BareText(ValueText.Narrow json, long none) implements ValueText.Narrow {

    @Override
    public long nullSpan() {
        return none;
    }

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        json.write(values, out, spans);
        strip(out.bytes, none, values.size, spans);
    }

    /** Takes quotes off the texts of JSON, unless nothing would be left. */
    static void strip(byte[] texts, long none, int count, long[] spans) {
        for (int i = 0; i < count; i++) {
            long span = spans[i];
            if (span == Literals.NULL) {
                spans[i] = none;
            } else if (texts[Spans.start(span)] == '"' && Spans.length(span) > 2) {
                int start = Spans.start(span) + 1;
                spans[i] = Spans.of(start, start + Spans.length(span) - 2);
            }
        }
    }
}
