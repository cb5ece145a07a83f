package io.spillway.encode;

import io.spillway.batch.ColumnVector;
import java.util.Arrays;

/**
 * One column of rows under way. For each block of rows it is asked three times: to {@link
 * #prepare}, for how much room its values need; to {@link #measure}, which makes the texts; and to
 * {@link #write} them to the rows, once all columns have told how long they are.
 */
abstract sealed class JsonColumn permits FlatColumn, NestedColumn {

    private final byte[] key;
    private final int keyLength;
    private final int room;

    /** Places of the block's texts. */
    final long[] spans;

    /** Length of the block's longest text. */
    private int longest;

    /**
     * @param key what stands in front of the value, from the end of the value before it on
     * @param follows bytes that at least follow the value in its row
     * @param rows the most rows of a block
     */
    JsonColumn(byte[] key, int follows, int rows) {
        this.key = Arrays.copyOf(key, key.length + TextBuffer.SLACK);
        keyLength = key.length;
        // A value has at least one byte.
        room = 1 + follows;
        spans = new long[rows];
    }

    /**
     * Looks at the values {@code [from, from + count)}.
     *
     * @return about how many bytes {@link #measure} would take for values of any length
     */
    abstract long prepare(ColumnVector column, int from, int count, Scratch scratch);

    /** Makes the texts of the values prepared, and adds their lengths to those of the rows. */
    abstract void measure(ColumnVector column, int from, int count, Scratch scratch, int[] lengths);

    /** Appends the texts measured to the rows. */
    abstract void write(Scratch scratch, int count, byte[] out, int[] ends);

    /** Appends key and value of a row whose values are too large for a block. */
    abstract void writeLarge(ColumnVector column, int row, Scratch scratch, TextBuffer out);

    /**
     * Adds the lengths of the block's texts to those of the rows.
     *
     * @param withKeys whether the texts have the key in front of them
     */
    final void add(int count, int[] lengths, boolean withKeys) {
        int fixed = withKeys ? 0 : keyLength;
        int most = 0;
        for (int r = 0; r < count; r++) {
            int length = Spans.length(spans[r]);
            most = Math.max(most, length);
            lengths[r] += fixed + length;
        }
        longest = most;
    }

    /** Appends texts that have the key in front of them. */
    final void writeWithKeys(byte[] source, int count, byte[] out, int[] ends) {
        SpanCopy.append(source, spans, longest, count, out, ends, keyLength + room);
    }

    /** Appends the key and a text to each row. */
    final void writeKeyed(byte[] source, int count, byte[] out, int[] ends) {
        SpanCopy.appendKeyed(key, keyLength, source, spans, longest, count, out, ends, room);
    }

    final void writeKey(TextBuffer out) {
        out.append(key, 0, keyLength);
    }
}
