package io.spillway.expression;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/** Puts batches behind each other. */
public final class Concat {

    private Concat() {}

    /**
     * The rows of all batches as one. A column stays dictionary-encoded if all batches have one
     * dictionary for it; else it is in plain form.
     *
     * @param batches of one schema, at least one; they stay the caller's
     * @return owned by the caller
     * @throws io.spillway.error.SpillwayException {@code MEMORY_LIMIT} if the texts of a column
     *     exceed 2 GiB
     */
    public static RecordBatch concat(List<RecordBatch> batches, BufferAllocator allocator) {
        RecordBatch first = batches.getFirst();
        int rows = 0;
        for (RecordBatch batch : batches) {
            rows = Math.addExact(rows, batch.rowCount());
        }
        List<ColumnVector> columns = new ArrayList<>(first.schema().size());
        try {
            for (int i = 0; i < first.schema().size(); i++) {
                int column = i;
                columns.add(
                        column(batches.stream().map(b -> b.column(column)).toList(), allocator));
            }
            return new RecordBatch(first.schema(), columns, rows);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private static ColumnVector column(List<ColumnVector> parts, BufferAllocator allocator) {
        if (parts.getFirst() instanceof ColumnVector.Encoded(IntVector _, Dictionary shared)
                && parts.stream().allMatch(part -> isOf(part, shared))) {
            List<FieldVector> indices =
                    parts.stream()
                            .map(part -> (FieldVector) ((ColumnVector.Encoded) part).indices())
                            .toList();
            IntVector all = (IntVector) vector(indices, allocator);
            return new ColumnVector.Encoded(all, shared.retain());
        }
        List<FieldVector> decoded = new ArrayList<>();
        List<FieldVector> plain = new ArrayList<>();
        try {
            for (ColumnVector part : parts) {
                plain.add(
                        switch (part) {
                            case ColumnVector.Plain(FieldVector vector) -> vector;
                            case ColumnVector.Encoded encoded -> {
                                FieldVector vector = Decode.decode(encoded, allocator);
                                decoded.add(vector);
                                yield vector;
                            }
                        });
            }
            return new ColumnVector.Plain(vector(plain, allocator));
        } finally {
            decoded.forEach(FieldVector::close);
        }
    }

    private static boolean isOf(ColumnVector column, Dictionary dictionary) {
        return column instanceof ColumnVector.Encoded encoded && encoded.dictionary() == dictionary;
    }

    private static FieldVector vector(List<FieldVector> parts, BufferAllocator allocator) {
        Runs runs = new Runs(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            runs.add(i, 0, parts.get(i).getValueCount());
        }
        return RunCopy.copy(
                parts.getFirst().getField(), parts.toArray(FieldVector[]::new), runs, allocator);
    }
}
