package io.spillway.operator.window;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;

/** A column of fixed width while it is written; values that are not put are null. */
final class Output implements AutoCloseable {

    private final BaseFixedWidthVector vector;
    private final int rows;
    private final long data;
    private final long validity;
    private boolean taken;

    Output(ColumnSchema schema, int rows, BufferAllocator allocator) {
        this.vector = (BaseFixedWidthVector) schema.toArrow().createVector(allocator);
        this.rows = rows;
        vector.allocateNew(Math.max(1, rows));
        this.data = vector.getDataBuffer().memoryAddress();
        this.validity = vector.getValidityBuffer().memoryAddress();
    }

    void putLong(int row, long value) {
        OffHeap.putLong(data + 8L * row, value);
        setValid(row);
    }

    void putDouble(int row, double value) {
        putLong(row, Double.doubleToRawLongBits(value));
    }

    void putWide(int row, long low, long high) {
        OffHeap.putLong(data + 16L * row, low);
        OffHeap.putLong(data + 16L * row + 8, high);
        setValid(row);
    }

    private void setValid(int row) {
        long at = validity + (row >>> 3);
        OffHeap.putByte(at, (byte) (OffHeap.getByte(at) | 1 << (row & 7)));
    }

    /** Hands the column over. */
    ColumnVector take() {
        taken = true;
        vector.setValueCount(rows);
        return new ColumnVector.Plain(vector);
    }

    @Override
    public void close() {
        if (!taken) {
            vector.close();
        }
    }
}
