package io.spillway.encode;

import org.apache.arrow.memory.ArrowBuf;

/**
 * Text as fields of CSV, in quotes where {@link CsvFormat} says so, quotation marks doubled.
 *
 * @param column its name, for errors
 * @param replace whether what is not UTF-8 becomes U+FFFD rather than an error
 * @param none the span of null; a text that reads {@code NULL} stands in quotes if null does, too
 */
record CsvText(String column, boolean replace, long none) implements ValueText.Wide {

    /** How much longer than the text a field can be at most, beside its quotes. */
    private static final int GROWTH = 3;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    /** The letters of {@code NULL}. */
    private static final int WORD = 'N' | 'U' << 8 | 'L' << 16 | 'L' << 24;

    @Override
    public long nullSpan() {
        return none;
    }

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        int n = values.size;
        out.reserve((long) GROWTH * (values.end(n - 1) - values.start(0)) + 2L * n);
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < n; i++) {
            if (values.isNull(i)) {
                spans[i] = none;
                continue;
            }
            int start = at;
            int from = values.start(i);
            int to = values.end(i);
            at =
                    isWord(values.bytes, from, to)
                            ? quoted(values.bytes, from, to, text, at, replace)
                            : field(values.bytes, from, to, text, at, replace);
            if (at < 0) {
                throw Utf8Text.invalid(column, values.row(i));
            }
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    private boolean isWord(byte[] in, int from, int to) {
        return to - from == Integer.BYTES
                && none == Literals.NULL_WORD
                && (int) Words.INT.get(in, from) == WORD;
    }

    /** Writes quotes first, and takes them away again if no part has needed them. */
    @Override
    public void writeLarge(
            ArrowBuf data, long from, long length, int row, ValueBlock part, TextBuffer out) {
        int start = out.end;
        out.append('"');
        boolean needed = false;
        for (long at = 0; at < length; ) {
            int n = (int) Math.min(TextRows.BLOCK_BYTES, length - at);
            part.loadPart(data, from + at, n, row);
            needed |= at == 0 && part.bytes[0] == ' ';
            needed |= at + n == length && part.bytes[n - 1] == ' ';
            if (at + n < length) {
                n = Utf8.boundary(part.bytes, 0, n);
            }
            needed |= hasSpecial(part.bytes, 0, n);
            out.reserve((long) GROWTH * n);
            int end = copy(part.bytes, 0, n, out.bytes, out.end, replace);
            if (end < 0) {
                throw Utf8Text.invalid(column, row);
            }
            out.end = end;
            at += n;
        }
        if (needed) {
            out.append('"');
        } else {
            out.end--;
            System.arraycopy(out.bytes, start + 1, out.bytes, start, out.end - start);
        }
    }

    /** What a field of a text takes at most. */
    static long longest(int bytes) {
        return (long) GROWTH * bytes + 2;
    }

    /**
     * Writes a field; reads and writes up to seven bytes behind the ends.
     *
     * @param replace whether each maximal part that is not UTF-8 becomes U+FFFD
     * @return the next index in {@code out}, or -1 if the bytes are not UTF-8
     */
    static int field(byte[] in, int from, int to, byte[] out, int at, boolean replace) {
        boolean quotes =
                from == to || in[from] == ' ' || in[to - 1] == ' ' || hasSpecial(in, from, to);
        return quotes
                ? quoted(in, from, to, out, at, replace)
                : copy(in, from, to, out, at, replace);
    }

    private static int quoted(byte[] in, int from, int to, byte[] out, int at, boolean replace) {
        out[at] = '"';
        int end = copy(in, from, to, out, at + 1, replace);
        if (end < 0) {
            return end;
        }
        out[end] = '"';
        return end + 1;
    }

    /** Whether there is a comma, a quotation mark or a control character. */
    private static boolean hasSpecial(byte[] in, int from, int to) {
        for (int i = from; i < to; i += Long.BYTES) {
            long word = (long) Words.LONG.get(in, i);
            long comma = word ^ ',' * ONES;
            long quote = word ^ '"' * ONES;
            long isComma = (comma - ONES) & ~comma;
            long isQuote = (quote - ONES) & ~quote;
            long isControl = (word - ' ' * ONES) & ~word;
            // The lowest bit set is exact, those above it may be wrong.
            long special = (isComma | isQuote | isControl) & HIGH_BITS;
            if (special != 0) {
                return Long.numberOfTrailingZeros(special) >>> 3 < to - i;
            }
        }
        return false;
    }

    /** Copies UTF-8, each quotation mark twice. */
    private static int copy(byte[] in, int from, int to, byte[] out, int at, boolean replace) {
        int i = from;
        int p = at;
        while (i < to) {
            long word = (long) Words.LONG.get(in, i);
            Words.LONG.set(out, p, word);
            long quote = word ^ '"' * ONES;
            long special = (((quote - ONES) & ~quote) | word) & HIGH_BITS;
            int clean = Long.numberOfTrailingZeros(special) >>> 3;
            if (clean >= to - i) {
                return p + (to - i);
            }
            i += clean;
            p += clean;
            if (clean == Long.BYTES) {
                continue;
            }
            if (in[i] >= 0) {
                out[p] = '"';
                out[p + 1] = '"';
                i++;
                p += 2;
                continue;
            }
            int length = Utf8.sequence(in, i, to);
            if (length > 0) {
                Words.INT.set(out, p, (int) Words.INT.get(in, i));
                i += length;
                p += length;
            } else if (replace) {
                p = Utf8.replacement(out, p);
                i -= length;
            } else {
                return -1;
            }
        }
        return p;
    }
}
