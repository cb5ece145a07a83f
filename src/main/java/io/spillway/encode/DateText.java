package io.spillway.encode;

/** Dates as strings: RFC 3339's {@code full-date}, other years as {@link CivilDate} tells. */
final class DateText implements ValueText.Narrow {

    private static final int LONGEST = CivilDate.LONGEST + 2;

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        int n = values.size;
        out.reserve((long) LONGEST * n);
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < n; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            int start = at;
            text[at] = '"';
            at =
                    CivilDate.write(
                            text, at + 1, (int) Words.INT.get(values.bytes, i * Integer.BYTES));
            text[at++] = '"';
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }
}
