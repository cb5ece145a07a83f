package io.spillway.expression;

/** A compiled expression of truth values. One thread at a time. */
interface Condition {

    /**
     * Whether testing can never raise an error, whatever the rows hold; such a condition may be
     * tested on more rows than asked for.
     */
    boolean total();

    /** Tests every row of the input and overwrites {@code verdicts}. */
    void test(Input input, Truth verdicts);
}
