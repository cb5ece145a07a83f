package io.spillway.encode;

import org.apache.arrow.memory.ArrowBuf;

/**
 * Bytes as fields of CSV: base64, in quotes only if there are none.
 *
 * @param none the span of null
 */
record BareBase64(Base64Text json, long none) implements ValueText.Wide {

    @Override
    public long nullSpan() {
        return none;
    }

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        json.write(values, out, spans);
        BareText.strip(out.bytes, none, values.size, spans);
    }

    @Override
    public void writeLarge(
            ArrowBuf data, long from, long length, int row, ValueBlock part, TextBuffer out) {
        int start = out.end;
        json.writeLarge(data, from, length, row, part, out);
        if (length > 0) {
            out.end -= 2;
            System.arraycopy(out.bytes, start + 1, out.bytes, start, out.end - start);
        }
    }
}
