package io.spillway.expression;

import org.apache.arrow.vector.FieldVector;

/** A yes-or-no question to each value of a plain vector. */
interface VectorTest {

    /**
     * Asks every row.
     *
     * @param bits a word for 64 rows; all words of the rows are overwritten. Bits of nulls, and
     *     beyond the last row, are undefined.
     */
    void test(FieldVector values, int rows, Scratch scratch, long[] bits);
}
