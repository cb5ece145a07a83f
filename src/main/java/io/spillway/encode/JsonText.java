package io.spillway.encode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text as the inside of a JSON string (RFC 8259, section 7): quotation mark, backslash and the
 * control characters below U+0020 are escaped, everything else stands as it is, in UTF-8.
 */
final class JsonText {

    /** How much longer than the text its escaped form can be, at most. */
    static final int GROWTH = 6;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private JsonText() {}

    /**
     * Checks that bytes are UTF-8 and writes them escaped. Works on eight bytes at a time as long
     * as they are printable ASCII; reads and writes up to seven bytes behind the ends.
     *
     * @param replace whether each maximal part that is not UTF-8 becomes U+FFFD
     * @return the next index in {@code out}, or -1 if the bytes are not UTF-8
     */
    static int escape(byte[] in, int from, int to, byte[] out, int at, boolean replace) {
        int i = from;
        int p = at;
        while (i < to) {
            long word = (long) Words.LONG.get(in, i);
            Words.LONG.set(out, p, word);
            int clean = Long.numberOfTrailingZeros(special(word)) >>> 3;
            if (clean >= to - i) {
                return p + (to - i);
            }
            i += clean;
            p += clean;
            if (clean == Long.BYTES) {
                continue;
            }
            if (in[i] >= 0) {
                p = escaped(out, p, in[i++]);
                continue;
            }
            do {
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
            } while (i < to && in[i] < 0);
        }
        return p;
    }

    /**
     * The high bits of the bytes that are not plain: the lowest one set is exact, those above it
     * may be wrong (Mycroft's test for small bytes lets borrows run upwards).
     */
    private static long special(long word) {
        long quote = word ^ '"' * ONES;
        long backslash = word ^ '\\' * ONES;
        long isQuote = (quote - ONES) & ~quote;
        long isBackslash = (backslash - ONES) & ~backslash;
        long isControl = (word - ' ' * ONES) & ~word;
        return (isQuote | isBackslash | isControl | word) & HIGH_BITS;
    }

    private static int escaped(byte[] out, int at, byte c) {
        int letter =
                switch (c) {
                    case '"', '\\' -> c;
                    case '\b' -> 'b';
                    case '\t' -> 't';
                    case '\n' -> 'n';
                    case '\f' -> 'f';
                    case '\r' -> 'r';
                    default -> 'u';
                };
        out[at] = '\\';
        out[at + 1] = (byte) letter;
        if (letter != 'u') {
            return at + 2;
        }
        out[at + 2] = '0';
        out[at + 3] = '0';
        out[at + 4] = HEX[c >>> 4];
        out[at + 5] = HEX[c & 0xf];
        return at + 6;
    }

    /**
     * A name as a JSON string, quotes included. Half a surrogate pair, which UTF-8 cannot hold,
     * becomes a question mark.
     */
    static byte[] quoted(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[GROWTH * utf8.length + 2 + Long.BYTES];
        out[0] = '"';
        byte[] in = Arrays.copyOf(utf8, utf8.length + Long.BYTES);
        int end = escape(in, 0, utf8.length, out, 1, false);
        out[end] = '"';
        return Arrays.copyOf(out, end + 1);
    }
}
