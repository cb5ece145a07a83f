package io.spillway.spill;

import io.spillway.batch.ColumnVector;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Makes plain values of dictionary-encoded ones. Thread-safe. */
@FunctionalInterface
public interface DictionaryDecoder {

    /** The values of a column in plain form; the caller owns the copy, and keeps the column. */
    FieldVector decode(ColumnVector.Encoded column, BufferAllocator allocator);
}
