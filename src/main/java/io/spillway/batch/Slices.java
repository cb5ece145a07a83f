package io.spillway.batch;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.util.TransferPair;

/** Slicing of Arrow vectors without giving up the original. */
final class Slices {

    private Slices() {}

    static FieldVector slice(FieldVector vector, int from, int count) {
        TransferPair pair = vector.getTransferPair(vector.getField(), vector.getAllocator());
        pair.splitAndTransfer(from, count);
        FieldVector part = (FieldVector) pair.getTo();
        part.setValueCount(count);
        return part;
    }
}
