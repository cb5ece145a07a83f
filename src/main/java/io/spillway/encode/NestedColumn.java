package io.spillway.encode;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import org.apache.arrow.vector.FieldVector;

/** A column of lists, structs or maps. */
final class NestedColumn extends TextColumn {

    private final NestedText format;

    NestedColumn(int index, byte[] key, int rows, NestedText format) {
        super(index, key, rows);
        this.format = format;
    }

    @Override
    long prepare(RecordBatch batch, int from, int count, Scratch scratch) {
        return format.bytes(vector(batch.column(index)), from, from + count);
    }

    @Override
    void measure(RecordBatch batch, int from, int count, Scratch scratch, int[] lengths) {
        TextBuffer texts = scratch.texts;
        format.bind(vector(batch.column(index)), from, from + count);
        for (int r = 0; r < count; r++) {
            int start = texts.end;
            format.append(from + r, from + r, scratch, texts);
            spans[r] = Spans.of(start, texts.end);
        }
        add(count, lengths, false);
    }

    @Override
    void write(Scratch scratch, int count, long out, int[] ends) {
        writeKeyed(scratch.texts.bytes, count, out, ends);
    }

    @Override
    void writeLarge(RecordBatch batch, int row, Scratch scratch, TextBuffer out) {
        writeKey(out);
        format.bind(vector(batch.column(index)), row, row + 1);
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
