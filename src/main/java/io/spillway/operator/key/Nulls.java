package io.spillway.operator.key;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/**
 * Which values of a vector are null.
 *
 * @param validity address of the vector's bitmap, or 0 if none is
 */
record Nulls(long validity) {

    static Nulls of(FieldVector vector) {
        return new Nulls(
                vector.getNullCount() == 0 ? 0 : vector.getValidityBuffer().memoryAddress());
    }

    boolean none() {
        return validity == 0;
    }

    boolean at(int row) {
        return validity != 0 && (OffHeap.getByte(validity + (row >>> 3)) >>> (row & 7) & 1) == 0;
    }
}
