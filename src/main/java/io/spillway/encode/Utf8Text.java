package io.spillway.encode;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import org.apache.arrow.memory.ArrowBuf;

/**
 * Text as JSON strings.
 *
 * @param column its name, for errors
 * @param replace whether what is not UTF-8 becomes U+FFFD rather than an error
 */
record Utf8Text(String column, boolean replace) implements ValueText.Wide {

    @Override
    public void write(ValueBlock values, TextBuffer out, long[] spans) {
        int n = values.size;
        long bytes = (long) values.end(n - 1) - values.start(0);
        out.reserve(JsonText.GROWTH * bytes + 2L * n);
        byte[] text = out.bytes;
        int at = out.end;
        for (int i = 0; i < n; i++) {
            if (values.isNull(i)) {
                spans[i] = Literals.NULL;
                continue;
            }
            int start = at;
            text[at++] = '"';
            at = JsonText.escape(values.bytes, values.start(i), values.end(i), text, at, replace);
            if (at < 0) {
                throw invalid(column, values.row(i));
            }
            text[at++] = '"';
            spans[i] = Spans.of(start, at);
        }
        out.end = at;
    }

    @Override
    public void writeLarge(
            ArrowBuf data, long from, long length, int row, ValueBlock part, TextBuffer out) {
        out.reserve(1);
        out.bytes[out.end++] = '"';
        for (long at = 0; at < length; ) {
            int n = (int) Math.min(TextRows.BLOCK_BYTES, length - at);
            part.loadPart(data, from + at, n, row);
            if (at + n < length) {
                n = Utf8.boundary(part.bytes, 0, n);
            }
            out.reserve((long) JsonText.GROWTH * n);
            int end = JsonText.escape(part.bytes, 0, n, out.bytes, out.end, replace);
            if (end < 0) {
                throw invalid(column, row);
            }
            out.end = end;
            at += n;
        }
        out.reserve(1);
        out.bytes[out.end++] = '"';
    }

    static SpillwayException invalid(String column, int row) {
        return new SpillwayException(
                        ErrorCode.INVALID_TEXT,
                        "The text of column '%s' in row %d of the batch is not valid UTF-8"
                                .formatted(column, row))
                .with(SpillwayException.COLUMN, column)
                .with(SpillwayException.ROW, row);
    }
}
