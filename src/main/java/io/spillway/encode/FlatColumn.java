package io.spillway.encode;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import org.apache.arrow.vector.FieldVector;

/** A column of values that consist of no others, in plain or dictionary-encoded form. */
final class FlatColumn extends TextColumn {

    private final ValueText format;
    private final DictionaryTexts dictionaryTexts;

    /** Whether the block's texts are those of the dictionary, with the key in front of them. */
    private boolean known;

    FlatColumn(int index, byte[] key, int rows, ValueText format, TextBudget budget) {
        super(index, key, rows);
        this.format = format;
        dictionaryTexts = new DictionaryTexts(key, format, budget);
    }

    /** The texts of the dictionary that the column has. */
    DictionaryTexts texts() {
        return dictionaryTexts;
    }

    @Override
    long prepare(RecordBatch batch, int from, int count, Scratch scratch) {
        return switch (batch.column(index)) {
            case ColumnVector.Plain(var vector) -> {
                known = false;
                yield ValueBlock.wideBytes(vector, from, count);
            }
            case ColumnVector.Encoded(var indices, var dictionary) -> {
                ValueBlock.loadIndices(indices, from, count, scratch.indices);
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

    @Override
    void measure(RecordBatch batch, int from, int count, Scratch scratch, int[] lengths) {
        if (!known) {
            load(batch.column(index), from, count, scratch);
            format.write(scratch.values, scratch.texts, spans);
        }
        add(count, lengths, known);
    }

    private static void load(ColumnVector column, int from, int count, Scratch scratch) {
        switch (column) {
            case ColumnVector.Plain(var vector) -> scratch.values.load(vector, from, count, from);
            case ColumnVector.Encoded(var indices, var dictionary) -> {
                ValueBlock.loadIndices(indices, from, count, scratch.indices);
                scratch.values.gather(
                        dictionary.values(), scratch.indices, scratch.allPositions(), count, from);
            }
        }
    }

    @Override
    void write(Scratch scratch, int count, long out, int[] ends) {
        if (known) {
            writeWithKeys(dictionaryTexts.bytes(), count, out, ends);
        } else {
            writeKeyed(scratch.texts.bytes, count, out, ends);
        }
    }

    @Override
    void writeLarge(RecordBatch batch, int row, Scratch scratch, TextBuffer out) {
        ColumnVector column = batch.column(index);
        writeKey(out);
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
                            append(scratch, format.nullSpan(), out);
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
            append(scratch, wide.nullSpan(), out);
            return;
        }
        wide.writeLarge(vector, index, row, scratch.values, out);
    }

    private static void append(Scratch scratch, long span, TextBuffer out) {
        out.append(scratch.texts.bytes, Spans.start(span), Spans.length(span));
    }
}
