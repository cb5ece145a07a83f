package io.spillway.scan.arrow;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.scan.arrow.BatchShape.Slot;
import java.util.ArrayList;
import java.util.List;

/** Makes batches of rows that are in memory, of fewer rows where values are large. */
final class RowsOfBatch {

    /** A batch of more than one row has no column of more bytes. */
    static final long FULL = 4 << 20;

    private RowsOfBatch() {}

    /**
     * The next rows.
     *
     * @param rows stays the caller's
     * @param from the first row, within the partition
     * @param most rows, above 0
     * @return of one row at least; the caller's
     */
    static RecordBatch take(RowSchema schema, RunReader.Rows rows, long from, int most) {
        Window window = rows.window();
        long first = from - rows.firstRow();
        int count = (int) Math.min(most, window.to() - first);
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        VectorLoader loader = new VectorLoader(window, rows.dictionaries());
        int column = 0;
        try {
            for (; column < schema.size(); column++) {
                count = fitting(window, rows.columns().get(column), first, count);
            }
            for (column = 0; column < schema.size(); column++) {
                columns.add(loader.column(rows.columns().get(column), first, count));
            }
            return new RecordBatch(schema, columns, count);
        } catch (SpillwayException e) {
            columns.forEach(ColumnVector::close);
            String name = column < schema.size() ? schema.column(column).name() : null;
            throw name == null ? window.place().with(e) : window.place().inColumn(name).with(e);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private static int fitting(Window window, Slot slot, long from, int most) {
        int count = most;
        while (count > 1 && bytes(window, slot, from, count) > FULL) {
            count /= 2;
        }
        return count;
    }

    /** Bytes of values, as far as their offsets make sense: they are checked later. */
    private static long bytes(Window window, Slot slot, long from, long count) {
        if (count <= 0) {
            return 0;
        }
        return switch (slot.field().layout()) {
            case Layout.Nulls _, Layout.Bits _, Layout.Unread _ -> count >>> 3;
            case Layout.Fixed(int width, var _) -> count * width;
            case Layout.Views _ -> Views.bytes(window, slot, from, count);
            case Layout.Bytes _ -> window.offset(slot, from + count) - window.offset(slot, from);
            case Layout.Elements _ -> {
                long first = window.offset(slot, from);
                long length = window.offset(slot, from + count) - first;
                Slot child = slot.children().getFirst();
                yield first < 0 || length < 0 || first > child.length() - length
                        ? 0
                        : length * Integer.BYTES + bytes(window, child, first, length);
            }
            case Layout.FixedElements(int size) ->
                    bytes(window, slot.children().getFirst(), from * size, count * size);
            case Layout.Fields _ -> {
                long sum = 0;
                for (Slot child : slot.children()) {
                    sum += bytes(window, child, from, count);
                }
                yield sum;
            }
        };
    }
}
