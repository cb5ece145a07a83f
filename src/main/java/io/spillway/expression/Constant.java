package io.spillway.expression;

/** The value of a literal, on the heap. */
sealed interface Constant {

    /** NULL. */
    record Null() implements Constant {}

    /**
     * A value of fixed width other than bytes.
     *
     * @param low the value of an integer, truth value, date, time or timestamp; the bits of a float
     *     as a double; the lower half of a decimal's unscaled value
     * @param high the upper half of a decimal's unscaled value
     */
    record Fixed(long low, long high) implements Constant {}

    /** Text or bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Bytes(byte[] bytes) implements Constant {}
}
