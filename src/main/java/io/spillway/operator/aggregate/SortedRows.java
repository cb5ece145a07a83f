package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.operator.key.KeyBytes;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** A batch of {@link SortedInput}, to be read row by row. Owns the batch. */
final class SortedRows implements AutoCloseable {

    private final RecordBatch batch;
    private final @Nullable FieldVector keys;
    private final int width;
    private final long skipped;
    private final long numbers;

    SortedRows(RecordBatch batch, boolean keyed) {
        this.batch = batch;
        this.keys = keyed ? vector(batch.column(0)) : null;
        this.width =
                keyed
                                && batch.schema().column(0).type()
                                        instanceof ColumnType.FixedBinary(int bytes)
                        ? bytes
                        : -1;
        this.skipped = vector(batch.column(keyed ? 1 : 0)).getDataBuffer().memoryAddress();
        this.numbers = NumberedRows.address(batch);
    }

    private static FieldVector vector(ColumnVector column) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded _ -> throw new IllegalStateException("a column is encoded");
        };
    }

    int rows() {
        return batch.rowCount();
    }

    boolean isCounted(int row) {
        return (OffHeap.getByte(skipped + (row >>> 3)) >>> (row & 7) & 1) == 0;
    }

    long number(int row) {
        return OffHeap.getLong(numbers + 8L * row);
    }

    boolean sameKey(int row, SortedRows other, int otherRow) {
        FieldVector here = keys;
        FieldVector there = other.keys;
        if (here == null || there == null) {
            return true;
        }
        int length = length(here, row);
        return length == length(there, otherRow)
                && KeyBytes.mismatch(address(here, row), address(there, otherRow), 0, length)
                        == length;
    }

    private long address(FieldVector vector, int row) {
        long data = vector.getDataBuffer().memoryAddress();
        return width >= 0
                ? data + (long) width * row
                : data + OffHeap.getInt(vector.getOffsetBuffer().memoryAddress() + 4L * row);
    }

    private int length(FieldVector vector, int row) {
        if (width >= 0) {
            return width;
        }
        long at = vector.getOffsetBuffer().memoryAddress() + 4L * row;
        return OffHeap.getInt(at + 4) - OffHeap.getInt(at);
    }

    @Override
    public void close() {
        batch.close();
    }
}
