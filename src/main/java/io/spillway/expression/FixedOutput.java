package io.spillway.expression;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A vector of fixed-width values (bits included) while it is written. Memory starts undefined: the
 * writer sets every validity bit and every value. Closing frees a vector that was not taken.
 */
final class FixedOutput implements AutoCloseable {

    private final FieldVector vector;
    private final long validity;
    private final long data;
    private boolean taken;

    FixedOutput(Field field, int rows, BufferAllocator allocator) {
        FieldVector empty = field.createVector(allocator);
        vector =
                Vectors.load(
                        empty,
                        rows,
                        Vectors.buffers(
                                allocator, Bits.bytes(rows), Vectors.dataBytes(empty, rows)));
        validity = Vectors.validity(vector);
        data = Vectors.data(vector);
    }

    long validity() {
        return validity;
    }

    long data() {
        return data;
    }

    /** Hands the vector over. */
    FieldVector take() {
        taken = true;
        return vector;
    }

    @Override
    public void close() {
        if (!taken) {
            vector.close();
        }
    }
}
