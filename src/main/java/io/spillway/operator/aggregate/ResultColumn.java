package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * A column of {@link Words} while it is written; rows that are not written are null. Closing frees
 * what was not taken.
 */
final class ResultColumn implements AutoCloseable {

    private final ColumnType type;
    private final FieldVector vector;
    private final long validity;
    private final long data;
    private boolean taken;

    ResultColumn(ColumnSchema schema, int rows, BufferAllocator allocator) {
        type = schema.type();
        vector = schema.toArrow().createVector(allocator);
        try {
            ((BaseFixedWidthVector) vector).allocateNew(rows);
            vector.setValueCount(rows);
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
        validity = vector.getValidityBuffer().memoryAddress();
        data = vector.getDataBuffer().memoryAddress();
    }

    void put(int row, long word) {
        put(row, word, word >> 63);
    }

    void put(int row, long low, long high) {
        long at = validity + (row >>> 3);
        OffHeap.putByte(at, (byte) (OffHeap.getByte(at) | 1 << (row & 7)));
        Words.store(type, data, row, low, high);
    }

    void putDouble(int row, double value) {
        put(row, Double.doubleToLongBits(value));
    }

    /** Hands the column over. */
    ColumnVector take() {
        taken = true;
        return new ColumnVector.Plain(vector);
    }

    @Override
    public void close() {
        if (!taken) {
            vector.close();
        }
    }
}
