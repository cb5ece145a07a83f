package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import java.util.Arrays;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * One column of rows under way. For each block of rows it is asked three times: to {@link
 * #prepare}, for how much room its values need; to {@link #measure}, which makes the texts; and to
 * {@link #write} them to the rows, once all columns have told how long they are.
 */
final class JsonColumn {

    private final byte[] key;
    private final int keyLength;
    private final int room;
    private final ValueText format;
    private final DictionaryTexts dictionaryTexts;
    private final long[] spans;

    /** Whether the block's texts are those of the dictionary. */
    private boolean known;

    /** Length of the block's longest text. */
    private int longest;

    /**
     * @param key what stands in front of the value, from the end of the value before it on
     * @param follows bytes that at least follow the value in its row
     * @param rows the most rows of a block
     */
    JsonColumn(
            byte[] key,
            int follows,
            int rows,
            ColumnSchema schema,
            RowFormat rowFormat,
            TextBudget budget) {
        this.key = Arrays.copyOf(key, key.length + TextBuffer.SLACK);
        keyLength = key.length;
        // A value has at least one byte.
        room = 1 + follows;
        format = ValueText.of(schema.name(), schema.type(), rowFormat);
        dictionaryTexts = new DictionaryTexts(key, format, budget);
        spans = new long[rows];
    }

    /**
     * Looks at the values {@code [from, from + count)}.
     *
     * @return bytes of values of any length that {@link #measure} would load
     */
    long prepare(ColumnVector column, int from, int count, Scratch scratch) {
        return switch (column) {
            case ColumnVector.Plain(var vector) -> {
                known = false;
                yield ValueBlock.wideBytes(vector, from, count);
            }
            case ColumnVector.Encoded(var indices, var dictionary) -> {
                scratch.values.loadIndices(indices, from, count, scratch.indices);
                known = dictionaryTexts.resolve(dictionary, count, from, scratch, spans);
                yield known ? 0 : wideBytes(dictionary.values(), scratch.indices, count);
            }
        };
    }

    private static long wideBytes(FieldVector entries, int[] indices, int count) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += indices[i] == 0 ? 0 : ValueBlock.wideBytes(entries, indices[i] - 1, 1);
        }
        return bytes;
    }

    /** Makes the texts of the values prepared, and adds their lengths to those of the rows. */
    void measure(ColumnVector column, int from, int count, Scratch scratch, int[] lengths) {
        int fixed = 0;
        if (!known) {
            load(column, from, count, scratch);
            format.write(scratch.values, scratch.texts, spans);
            fixed = keyLength;
        }
        int most = 0;
        for (int r = 0; r < count; r++) {
            int length = Spans.length(spans[r]);
            most = Math.max(most, length);
            lengths[r] += fixed + length;
        }
        longest = most;
    }

    private static void load(ColumnVector column, int from, int count, Scratch scratch) {
        switch (column) {
            case ColumnVector.Plain(var vector) -> scratch.values.load(vector, from, count);
            case ColumnVector.Encoded(var indices, var dictionary) -> {
                scratch.values.loadIndices(indices, from, count, scratch.indices);
                scratch.values.gather(
                        dictionary.values(), scratch.indices, scratch.allPositions(), count, from);
            }
        }
    }

    /** Appends the texts measured to the rows. */
    void write(Scratch scratch, int count, byte[] out, int[] ends) {
        if (known) {
            SpanCopy.append(
                    dictionaryTexts.bytes(), spans, longest, count, out, ends, keyLength + room);
        } else {
            SpanCopy.appendKeyed(
                    key, keyLength, scratch.texts.bytes, spans, longest, count, out, ends, room);
        }
    }

    /** Appends key and value of a row whose values are too large for a block. */
    void writeLarge(ColumnVector column, int row, Scratch scratch, TextBuffer out) {
        out.append(key, 0, keyLength);
        switch (format) {
            case ValueText.Narrow narrow -> {
                load(column, row, 1, scratch);
                Literals.clear(scratch.texts);
                narrow.write(scratch.values, scratch.texts, scratch.spans);
                append(scratch, scratch.spans[0], out);
            }
            case ValueText.Wide wide -> {
                switch (column) {
                    case ColumnVector.Plain(var vector) ->
                            writeWide(wide, vector, row, row, scratch, out);
                    case ColumnVector.Encoded(var indices, var _) when indices.isNull(row) ->
                            append(scratch, Literals.NULL, out);
                    case ColumnVector.Encoded(var indices, var dictionary) ->
                            writeWide(
                                    wide, dictionary.values(), indices.get(row), row, scratch, out);
                }
            }
        }
    }

    private static void writeWide(
            ValueText.Wide wide,
            FieldVector vector,
            int index,
            int row,
            Scratch scratch,
            TextBuffer out) {
        if (vector.isNull(index)) {
            append(scratch, Literals.NULL, out);
            return;
        }
        long length = ValueBlock.wideBytes(vector, index, 1);
        long start =
                vector instanceof BaseVariableWidthVector variable
                        ? variable.getStartOffset(index)
                        : length * index;
        wide.writeLarge(vector.getDataBuffer(), start, length, row, scratch.values, out);
    }

    private static void append(Scratch scratch, long span, TextBuffer out) {
        out.append(scratch.texts.bytes, Spans.start(span), Spans.length(span));
    }
}
