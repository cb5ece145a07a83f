package io.spillway.encode;

/**
 * Binary floating-point numbers as their {@link ShortestDecimal}. NaN and the infinities, for which
 * JSON has no numbers, are the strings {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}.
 */
record FloatText(int bits) implements ValueText.Narrow {

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        int n = values.size;
        out.reserve((long) ShortestDecimal.LONGEST * n);
        switch (bits) {
            case Short.SIZE -> write16(values, out, spans);
            case Integer.SIZE -> write32(values, out, spans);
            default -> write64(values, out, spans);
        }
    }

    private static void write64(ValueBlock values, TextBuffer out, long[] spans) {
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < values.size; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            double value =
                    Double.longBitsToDouble((long) Words.LONG.get(values.bytes, i * Long.BYTES));
            int start = at;
            at =
                    Math.abs(value) <= Double.MAX_VALUE
                            ? ShortestDecimal.float64(text, at, value)
                            : notFinite(text, at, value);
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    private static void write32(ValueBlock values, TextBuffer out, long[] spans) {
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < values.size; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            float value = Float.intBitsToFloat((int) Words.INT.get(values.bytes, i * Float.BYTES));
            int start = at;
            at =
                    Math.abs(value) <= Float.MAX_VALUE
                            ? ShortestDecimal.float32(text, at, value)
                            : notFinite(text, at, value);
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    private static void write16(ValueBlock values, TextBuffer out, long[] spans) {
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < values.size; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            short value = (short) Words.SHORT.get(values.bytes, i * Short.BYTES);
            float widened = Float.float16ToFloat(value);
            int start = at;
            at =
                    Math.abs(widened) <= Float.MAX_VALUE
                            ? ShortestDecimal.float16(text, at, value)
                            : notFinite(text, at, widened);
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    private static int notFinite(byte[] out, int at, double value) {
        String text =
                Double.isNaN(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
        int p = at;
        for (int i = 0; i < text.length(); i++) {
            out[p++] = (byte) text.charAt(i);
        }
        return p;
    }
}
