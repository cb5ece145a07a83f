package io.spillway.encode;

import io.spillway.batch.ColumnVector;
import org.apache.arrow.vector.FieldVector;

/** A column of lists, structs or maps. */
final class NestedColumn extends JsonColumn {

    private final NestedText format;

    NestedColumn(byte[] key, int follows, int rows, NestedText format) {
        super(key, follows, rows);
        this.format = format;
    }

    @Override
    long prepare(ColumnVector column, int from, int count, Scratch scratch) {
        return format.bytes(vector(column), from, from + count);
    }

    @Override
    void measure(ColumnVector column, int from, int count, Scratch scratch, int[] lengths) {
        TextBuffer texts = scratch.texts;
        format.bind(vector(column), from, from + count);
        for (int r = 0; r < count; r++) {
            int start = texts.end;
            format.append(from + r, from + r, scratch, texts);
            spans[r] = Spans.of(start, texts.end);
        }
        add(count, lengths, false);
    }

    @Override
    void write(Scratch scratch, int count, byte[] out, int[] ends) {
        writeKeyed(scratch.texts.bytes, count, out, ends);
    }

    @Override
    void writeLarge(ColumnVector column, int row, Scratch scratch, TextBuffer out) {
        writeKey(out);
        format.bind(vector(column), row, row + 1);
        format.append(row, row, scratch, out);
    }

    private static FieldVector vector(ColumnVector column) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded _ ->
                    throw new IllegalArgumentException("a nested column that is not plain");
        };
    }
}
