package io.spillway.batch;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

/**
 * The values of one column in a batch. Each instance owns a reference to its buffers and gives it
 * back on {@link #close()}; a slice has references of its own.
 */
public sealed interface ColumnVector extends AutoCloseable
        permits ColumnVector.Plain, ColumnVector.Encoded {

    /** Number of values, nulls included. */
    int size();

    /**
     * Bytes of memory that the values' buffers take; a dictionary that is shared is not counted.
     */
    long bytes();

    /** Values {@code [from, from + count)} in the same form; shares buffers where Arrow can. */
    ColumnVector slice(int from, int count);

    @Override
    void close();

    /** Values as they are: a vector of the Arrow type of the column. */
    record Plain(FieldVector vector) implements ColumnVector {

        @Override
        public int size() {
            return vector.getValueCount();
        }

        @Override
        public long bytes() {
            return vector.getBufferSize();
        }

        @Override
        public ColumnVector slice(int from, int count) {
            return new Plain(Slices.slice(vector, from, count));
        }

        @Override
        public void close() {
            vector.close();
        }
    }

    /**
     * Values as indices into a dictionary; a null value is a null index. Index values of nulls are
     * undefined. Owns one reference to the dictionary.
     */
    record Encoded(IntVector indices, Dictionary dictionary) implements ColumnVector {

        @Override
        public int size() {
            return indices.getValueCount();
        }

        @Override
        public long bytes() {
            return indices.getBufferSize();
        }

        @Override
        public ColumnVector slice(int from, int count) {
            IntVector part = (IntVector) Slices.slice(indices, from, count);
            dictionary.retain();
            return new Encoded(part, dictionary);
        }

        @Override
        public void close() {
            indices.close();
            dictionary.release();
        }
    }
}
