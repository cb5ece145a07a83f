package io.spillway.encode;

/**
 * Integers, all their digits.
 *
 * @param quoted as JSON strings
 */
record IntText(int bits, boolean signed, boolean quoted) implements ValueText.Narrow {

    /** Sign, 19 digits, quotes; or 20 digits. */
    private static final int LONGEST = 22;

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
            if (quoted) {
                text[at++] = '"';
            }
            long value = value(values.bytes, i);
            at = signed ? Digits.signed(text, at, value) : Digits.unsigned(text, at, value);
            if (quoted) {
                text[at++] = '"';
            }
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    private long value(byte[] in, int i) {
        return switch (bits) {
            case Byte.SIZE -> signed ? in[i] : Byte.toUnsignedLong(in[i]);
            case Short.SIZE -> {
                short value = (short) Words.SHORT.get(in, i * Short.BYTES);
                yield signed ? value : Short.toUnsignedLong(value);
            }
            case Integer.SIZE -> {
                int value = (int) Words.INT.get(in, i * Integer.BYTES);
                yield signed ? value : Integer.toUnsignedLong(value);
            }
            default -> (long) Words.LONG.get(in, i * Long.BYTES);
        };
    }
}
