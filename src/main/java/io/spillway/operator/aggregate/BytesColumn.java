package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarBinaryVector;

/** A column of bytes while it is written, value by value. Closing frees what was not taken. */
final class BytesColumn implements AutoCloseable {

    private final VarBinaryVector vector;
    private final int rows;
    private final long offsets;
    private final long data;
    private int row;
    private int end;
    private boolean taken;

    /**
     * @param bytes of all values together
     */
    BytesColumn(ColumnSchema schema, int rows, long bytes, BufferAllocator allocator) {
        this.rows = rows;
        vector = (VarBinaryVector) schema.toArrow().createVector(allocator);
        try {
            vector.allocateNew(bytes, rows);
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
        offsets = vector.getOffsetBuffer().memoryAddress();
        data = vector.getDataBuffer().memoryAddress();
        OffHeap.putInt(offsets, 0);
    }

    void add(long address, int bytes) {
        long at = vector.getValidityBuffer().memoryAddress() + (row >>> 3);
        OffHeap.putByte(at, (byte) (OffHeap.getByte(at) | 1 << (row & 7)));
        OffHeap.copy(address, data + end, bytes);
        end += bytes;
        next();
    }

    void addNull() {
        next();
    }

    private void next() {
        row++;
        OffHeap.putInt(offsets + 4L * row, end);
    }

    /** Hands the column over, once all rows are there. */
    ColumnVector take() {
        taken = true;
        vector.setLastSet(rows - 1);
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
