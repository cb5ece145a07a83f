package io.spillway.encode;

import java.nio.charset.StandardCharsets;
import org.apache.arrow.memory.ArrowBuf;

/** Bytes as strings of base64 with padding (RFC 4648, section 4). */
final class Base64Text implements ValueText.Wide {

    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                    .getBytes(StandardCharsets.US_ASCII);

    /** Bytes of a part of a large value: whole groups of three, so that parts need no padding. */
    private static final int PART = TextRows.BLOCK_BYTES / 3 * 3;

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        int n = values.size;
        out.reserve(longest(values.end(n - 1) - values.start(0)) + 6L * n);
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < n; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            int start = at;
            text[at++] = '"';
            at = encode(values.bytes, values.start(i), values.end(i), text, at);
            text[at++] = '"';
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    @Override
    public void writeLarge(
            ArrowBuf data, long from, long length, int row, ValueBlock part, TextBuffer out) {
        out.reserve(longest(length) + 2);
        out.bytes[out.end++] = '"';
        for (long at = 0; at < length; at += PART) {
            int n = (int) Math.min(PART, length - at);
            part.loadPart(data, from + at, n, row);
            out.end = encode(part.bytes, 0, n, out.bytes, out.end);
        }
        out.bytes[out.end++] = '"';
    }

    private static long longest(long bytes) {
        return (bytes + 2) / 3 * 4;
    }

    private static int encode(byte[] in, int from, int to, byte[] out, int at) {
        int p = at;
        int i = from;
        for (; i + 2 < to; i += 3) {
            int group = (in[i] & 0xff) << 16 | (in[i + 1] & 0xff) << 8 | (in[i + 2] & 0xff);
            out[p] = ALPHABET[group >>> 18];
            out[p + 1] = ALPHABET[group >>> 12 & 0x3f];
            out[p + 2] = ALPHABET[group >>> 6 & 0x3f];
            out[p + 3] = ALPHABET[group & 0x3f];
            p += 4;
        }
        if (i == to) {
            return p;
        }
        boolean two = i + 1 < to;
        int group = (in[i] & 0xff) << 16 | (two ? (in[i + 1] & 0xff) << 8 : 0);
        out[p] = ALPHABET[group >>> 18];
        out[p + 1] = ALPHABET[group >>> 12 & 0x3f];
        out[p + 2] = two ? ALPHABET[group >>> 6 & 0x3f] : (byte) '=';
        out[p + 3] = '=';
        return p + 4;
    }
}
