package io.spillway.expression;

import org.apache.arrow.vector.FieldVector;

/** A yes-or-no question to each pair of values of two plain vectors. */
interface PairTest {

    /**
     * Asks every row.
     *
     * @param bits as in {@link VectorTest#test}
     */
    void test(FieldVector left, FieldVector right, int rows, Scratch scratch, long[] bits);
}
