package io.spillway.operator.sort;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.operator.RowBytes;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/**
 * Bytes that rows of a batch take in plain form, bitmaps not counted: the same for a row whether
 * its columns have dictionaries or not. Looks at the batch, which must stay open.
 */
final class RowSizes {

    private final List<Column> columns = new ArrayList<>();
    private long fixed;

    /** Values whose sizes differ. */
    private interface Column {
        long of(int row);
    }

    RowSizes(RecordBatch batch) {
        for (int i = 0; i < batch.schema().size() && batch.rowCount() > 0; i++) {
            add(batch.column(i));
        }
    }

    private void add(ColumnVector column) {
        FieldVector values =
                switch (column) {
                    case ColumnVector.Plain(FieldVector vector) -> vector;
                    case ColumnVector.Encoded encoded -> encoded.dictionary().values();
                };
        if (values instanceof BaseFixedWidthVector numbers) {
            fixed += Math.max(1, numbers.getTypeWidth());
            return;
        }
        Column plain =
                values instanceof BaseVariableWidthVector && values.getValueCount() > 0
                        ? bytes(values.getOffsetBuffer().memoryAddress())
                        : row -> RowBytes.of(values, row, row + 1);
        columns.add(
                column instanceof ColumnVector.Encoded(IntVector indices, var _)
                        ? entries(indices, plain)
                        : plain);
    }

    private static Column bytes(long offsets) {
        return row -> {
            long at = offsets + 4L * row;
            return (long) Integer.BYTES + OffHeap.getInt(at + 4) - OffHeap.getInt(at);
        };
    }

    private static Column entries(IntVector indices, Column entries) {
        long data = indices.getDataBuffer().memoryAddress();
        boolean nulls = indices.getNullCount() > 0;
        return row ->
                nulls && indices.isNull(row)
                        ? Integer.BYTES
                        : entries.of(OffHeap.getInt(data + 4L * row));
    }

    /** Whether all rows take the same. */
    boolean isFixed() {
        return columns.isEmpty();
    }

    /** Bytes of one row. */
    long of(int row) {
        long bytes = fixed;
        for (int i = 0; i < columns.size(); i++) {
            bytes += columns.get(i).of(row);
        }
        return bytes;
    }

    /** Bytes of the first so many rows. */
    long sum(int rows) {
        long bytes = fixed * rows;
        for (Column column : columns) {
            for (int i = 0; i < rows; i++) {
                bytes += column.of(i);
            }
        }
        return bytes;
    }
}
