package io.spillway.encode;

import io.spillway.batch.RecordBatch;
import java.util.Arrays;

/**
 * One column of rows under way. For each block of rows it is asked three times: to {@link
 * #prepare}, for how much room its values need; to {@link #measure}, which makes the texts; and to
 * {@link #write} them to the rows, once all columns have told how long they are.
 */
abstract sealed class TextColumn permits FlatColumn, FoldedColumns, NestedColumn {

    /** The column's place in a batch. */
    final int index;

    private final byte[] key;
    private final int keyLength;

    /** Places of the block's texts. */
    final long[] spans;

    /** Length of the block's longest text, with the key if the texts have it. */
    private int longest;

    /** Length of the block's shortest text without the key. */
    private int shortest;

    /** Bytes that each row of the block has at least from its text's beginning on. */
    private int room;

    /**
     * @param index the column's place in a batch
     * @param key what stands in front of the value, from the end of the value before it on
     * @param rows the most rows of a block
     */
    TextColumn(int index, byte[] key, int rows) {
        this.index = index;
        this.key = Arrays.copyOf(key, key.length + TextBuffer.SLACK);
        keyLength = key.length;
        spans = new long[rows];
    }

    /**
     * Looks at the values of rows {@code [from, from + count)}.
     *
     * @return about how many bytes {@link #measure} would take for values of any length
     */
    abstract long prepare(RecordBatch batch, int from, int count, Scratch scratch);

    /** Makes the texts of the values prepared, and adds their lengths to those of the rows. */
    abstract void measure(RecordBatch batch, int from, int count, Scratch scratch, int[] lengths);

    /** Appends the texts measured to the rows. */
    abstract void write(Scratch scratch, int count, long out, int[] ends);

    /** Appends key and value of a row whose values are too large for a block. */
    abstract void writeLarge(RecordBatch batch, int row, Scratch scratch, TextBuffer out);

    /**
     * Adds the lengths of the block's texts to those of the rows.
     *
     * @param withKeys whether the texts have the key in front of them
     */
    final void add(int count, int[] lengths, boolean withKeys) {
        int fixed = withKeys ? 0 : keyLength;
        int most = 0;
        int least = Integer.MAX_VALUE;
        for (int r = 0; r < count; r++) {
            int length = Spans.length(spans[r]);
            most = Math.max(most, length);
            least = Math.min(least, length);
            lengths[r] += fixed + length;
        }
        longest = most;
        shortest = least - (keyLength - fixed);
    }

    /**
     * Takes note of what stands behind the block's texts.
     *
     * @param follows bytes that each row has at least behind the text
     * @return the same in front of the key
     */
    int follow(int follows) {
        room = shortest + follows;
        return keyLength + room;
    }

    /** Appends texts that have the key in front of them. */
    final void writeWithKeys(byte[] source, int count, long out, int[] ends) {
        SpanCopy.append(
                source, spans, keyLength + shortest, longest, count, out, ends, keyLength + room);
    }

    /** Appends the key and a text to each row. */
    final void writeKeyed(byte[] source, int count, long out, int[] ends) {
        SpanCopy.appendKeyed(key, keyLength, source, spans, longest, count, out, ends, room);
    }

    final int keyLength() {
        return keyLength;
    }

    final void writeKey(TextBuffer out) {
        out.append(key, 0, keyLength);
    }
}
