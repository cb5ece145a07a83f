package io.spillway.encode;

/**
 * Decimals, plain, with all digits of their scale and no exponent. Read from Arrow's 128-bit
 * two's-complement integers.
 */
final class DecimalText implements ValueText.Narrow {

    private static final int WIDTH = 2 * Long.BYTES;

    /** What a 128-bit integer has at most. */
    private static final int MOST_DIGITS = 39;

    private static final int BILLION = 1_000_000_000;
    private static final int DIGITS_OF_BILLION = 9;

    private final int scale;
    private final boolean quoted;

    /** Digits in front of which zeros are put until there is one before the point. */
    private final byte[] digits;

    DecimalText(int scale, boolean quoted) {
        if (scale < 0) {
            throw new IllegalArgumentException("a decimal of scale " + scale);
        }
        this.scale = scale;
        this.quoted = quoted;
        digits = new byte[Math.max(MOST_DIGITS + DIGITS_OF_BILLION, scale + 1)];
    }

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        int n = values.size;
        // Digits, quotes, sign and point.
        out.reserve((long) (digits.length + 4) * n);
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < n; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            int start = at;
            if (quoted) {
                text[at++] = '"';
            }
            long low = (long) Words.LONG.get(values.bytes, i * WIDTH);
            long high = (long) Words.LONG.get(values.bytes, i * WIDTH + Long.BYTES);
            if (high < 0) {
                text[at++] = '-';
                low = -low;
                high = ~high + (low == 0 ? 1 : 0);
            }
            at = high == 0 && low >= 0 ? small(text, at, low) : large(text, at, high, low);
            if (quoted) {
                text[at++] = '"';
            }
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    private int small(byte[] out, int at, long unscaled) {
        int count = Digits.count(unscaled);
        if (count <= scale) {
            out[at] = '0';
            out[at + 1] = '.';
            int p = at + 2;
            for (int zeros = scale - count; zeros > 0; zeros--) {
                out[p++] = '0';
            }
            return Digits.plain(out, p, unscaled);
        }
        if (scale == 0) {
            return Digits.plain(out, at, unscaled);
        }
        int next = Digits.plain(out, at + 1, unscaled);
        int point = at + count - scale;
        for (int p = at; p < point; p++) {
            out[p] = out[p + 1];
        }
        out[point] = '.';
        return next;
    }

    /** A magnitude of more than 63 bits, divided by a billion again and again. */
    private int large(byte[] out, int at, long high, long low) {
        long a = high >>> Integer.SIZE;
        long b = high & 0xffff_ffffL;
        long c = low >>> Integer.SIZE;
        long d = low & 0xffff_ffffL;
        int first = digits.length;
        while ((a | b | c | d) != 0) {
            long rest = a;
            a = rest / BILLION;
            rest = rest % BILLION << Integer.SIZE | b;
            b = rest / BILLION;
            rest = rest % BILLION << Integer.SIZE | c;
            c = rest / BILLION;
            rest = rest % BILLION << Integer.SIZE | d;
            d = rest / BILLION;
            first -= DIGITS_OF_BILLION;
            Digits.padded(digits, first, (int) (rest % BILLION), DIGITS_OF_BILLION);
        }
        int units = digits.length - scale - 1;
        while (first < units && digits[first] == '0') {
            first++;
        }
        while (first > units) {
            digits[--first] = '0';
        }
        int whole = units + 1 - first;
        System.arraycopy(digits, first, out, at, whole);
        if (scale == 0) {
            return at + whole;
        }
        out[at + whole] = '.';
        System.arraycopy(digits, units + 1, out, at + whole + 1, scale);
        return at + whole + 1 + scale;
    }
}
